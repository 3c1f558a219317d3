/** The two kinds of mailboxes that the stand-in plays, by the word that begins their addresses. */
export type ProviderName = 'google' | 'microsoft';

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** What differs between the two: addresses as the real ones have them below their hosts, words, and who is there. */
export interface Provider {
  readonly name: ProviderName;
  readonly title: string;
  readonly paths: {
    readonly authorize: string;
    readonly token: string;
    readonly profile: string;
    /** Microsoft has no call that ends a grant. */
    readonly revoke: string | null;
    /** Where a person sees what they allowed, and takes it back. */
    readonly connections: string;
  };
  /** Which scopes are known, and what the consent page says that they allow. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Microsoft gives another refresh token with every refresh; Google's stays the same. */
  readonly rotatesRefreshTokens: boolean;
  /** A ready account to try. */
  readonly people: readonly Person[];
}

const google: Provider = {
  name: 'google',
  title: 'Google',
  paths: {
    authorize: '/google/o/oauth2/v2/auth',
    token: '/google/token',
    revoke: '/google/revoke',
    profile: '/google/gmail/v1/users/me/profile',
    connections: '/google/connections',
  },
  scopes: {
    'https://www.googleapis.com/auth/gmail.modify': 'Read, compose and send emails from your Gmail account',
  },
  rotatesRefreshTokens: false,
  people: [
    { name: 'Ines Carvalho', address: 'ines.carvalho@gmail.test' },
    { name: 'Tom Okafor', address: 'tom.okafor@gmail.test' },
  ],
};

const microsoft: Provider = {
  name: 'microsoft',
  title: 'Microsoft',
  paths: {
    authorize: '/microsoft/common/oauth2/v2.0/authorize',
    token: '/microsoft/common/oauth2/v2.0/token',
    revoke: null,
    profile: '/microsoft/v1.0/me',
    connections: '/microsoft/connections',
  },
  scopes: {
    'User.Read': 'View your basic profile',
    'Mail.ReadWrite': 'Read and write access to your mail',
    'Mail.Send': 'Send mail as you',
    offline_access: 'Maintain access to data you have given it access to',
  },
  rotatesRefreshTokens: true,
  people: [
    { name: 'Mara Lindqvist', address: 'mara.lindqvist@outlook.test' },
    { name: 'Jun Watanabe', address: 'jun.watanabe@contoso.test' },
  ],
};

export const providers: readonly Provider[] = [google, microsoft];

/** Whether the client may go on when the person has left: each provider has its own way of asking for that. */
export const asksForOfflineAccess = ({ name }: Provider, query: URLSearchParams): boolean =>
  name === 'google'
    ? query.get('access_type') === 'offline'
    : scopesIn(query.get('scope')).includes('offline_access');

export const scopesIn = (scope: string | null): string[] => (scope ?? '').split(' ').filter(Boolean);
