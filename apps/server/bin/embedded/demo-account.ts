/** Printed at every start and worth nothing: it exists only with the embedded identity provider, on loopback. */
export const demoAccount = {
  email: 'demo@assay.test',
  password: 'touchstone-demo',
  firstName: 'Dana',
  lastName: 'Demo',
} as const;
