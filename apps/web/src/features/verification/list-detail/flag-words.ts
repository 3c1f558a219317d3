import type { AddressFlag } from '@assay/contract';

export const flagWords: Readonly<Record<AddressFlag, string>> = {
  disposable: 'Disposable',
  role: 'Role',
  free_provider: 'Free provider',
  plus_tag: '+tag',
};
