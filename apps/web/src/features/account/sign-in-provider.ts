/** Providers whose names are not simply written with a capital letter. */
const spellings: Readonly<Record<string, string>> = {
  'google-oauth2': 'Google',
  windowslive: 'Microsoft',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin: 'LinkedIn',
};

/** How people know the provider that an identity names. */
export const providerName = (identity: string): string =>
  spellings[identity.toLowerCase()] ?? identity.charAt(0).toUpperCase() + identity.slice(1);

/** The ways of signing in that are not an address and a password. */
export const socialIdentities = (identities: readonly string[]): string[] =>
  identities.filter((identity) => identity !== 'email');
