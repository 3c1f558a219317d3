/** Either of these settings replaces the embedded identity provider. */
export const identityIsGiven = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.OIDC_ISSUER || env.IDENTITY_URL);

/** Each of these settings replaces the embedded mail world. */
export const mailWorldIsGiven = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.ASSAY_DNS || env.ASSAY_SMTP_PORT || env.ASSAY_ALLOW_RANGES);
