import type { Incident } from '@assay/contract';

export const statusPartWords: Readonly<Record<Incident['part'], string>> = {
  api: 'Website and API',
  verification: 'Single verifications',
  lists: 'Lists',
};

export const incidentStateWords: Readonly<Record<Incident['state'], string>> = {
  degraded: 'Slower than usual',
  unavailable: 'Not available',
};
