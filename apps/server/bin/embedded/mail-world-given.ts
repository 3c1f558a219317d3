/** Any one of these says where the mail internet is, and so replaces the embedded one. */
export const mailWorldIsGiven = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.ASSAY_DNS || env.ASSAY_SMTP_PORT || env.ASSAY_ALLOW_RANGES);
