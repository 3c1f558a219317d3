import { Icon } from '../../../shared/components/icon.tsx';
import type { AuthorizedCredential } from '../credentials.ts';

export const providerNames = {
  GOOGLE: 'Google',
  MICROSOFT: 'Microsoft',
  UNKNOWN: 'Unknown provider',
} as const;

/** The providers' own colours, by which people look for them. */
const drawings = {
  GOOGLE: (
    <g fill="none" strokeWidth="4">
      <path stroke="#ea4335" d="M5.2 7.7A8 8 0 0 1 17.9 6.6" />
      <path stroke="#fbbc05" d="M5.2 16.3a8 8 0 0 1 0-8.6" />
      <path stroke="#34a853" d="M17.4 17.9a8 8 0 0 1-12.2-1.6" />
      <path stroke="#4285f4" d="M12.2 12H20a8 8 0 0 1-2.6 5.9" />
    </g>
  ),
  MICROSOFT: (
    <>
      <path fill="#f25022" d="M2.5 2.5h9v9h-9z" />
      <path fill="#7fba00" d="M12.5 2.5h9v9h-9z" />
      <path fill="#00a4ef" d="M2.5 12.5h9v9h-9z" />
      <path fill="#ffb900" d="M12.5 12.5h9v9h-9z" />
    </>
  ),
} as const;

/** Decoration beside a word that says the same. */
export function ProviderIcon({ provider }: Pick<AuthorizedCredential, 'provider'>) {
  if (provider === 'UNKNOWN') return <Icon name="account" />;
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      {drawings[provider]}
    </svg>
  );
}
