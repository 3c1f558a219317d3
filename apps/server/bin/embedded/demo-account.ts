/** No secret: it is printed at every start, and exists only with the embedded identity provider, on loopback. */
export const demoAccount = {
  email: 'demo@assay.test',
  password: 'touchstone-demo',
  firstName: 'Dana',
  lastName: 'Demo',
} as const;
