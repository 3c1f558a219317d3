import type { IconName } from '../../shared/components/icon.tsx';

export interface NavigationItem {
  readonly label: string;
  readonly icon: IconName;
  readonly href: string;
  /** On another site, in a new tab. */
  readonly isExternal?: boolean;
}

interface NavigationFacts {
  readonly hasGuessing: boolean;
  readonly isStaging: boolean;
  readonly docsUrl: string;
}

export function listNavigationItems({ hasGuessing, isStaging, docsUrl }: NavigationFacts): NavigationItem[] {
  return [
    { label: 'Email verification', icon: 'verification', href: '/email-verification' },
    ...(hasGuessing ? [{ label: 'Email guessing', icon: 'guessing', href: '/email-guessing' } as const] : []),
    { label: 'API', icon: 'api', href: docsUrl, isExternal: true },
    { label: 'Billing', icon: 'billing', href: '/billing' },
    { label: 'Account', icon: 'account', href: '/account' },
    ...(isStaging ? [{ label: 'Warm Up', icon: 'warmUp', href: '/warm-up' } as const] : []),
  ];
}
