import { createClient } from '@assay/client';
import type { ApiKey } from '@assay/contract';
import { expect, it } from 'vitest';
import { createQueryClient } from '../../../shared/api/query-client.ts';
import { apiKeyQuery } from './api-keys.ts';

const keyNamed = (id: string): ApiKey => ({
  id,
  api_token: `token of ${id}`,
  creation_date: '2026-01-01T00:00:00Z',
  last_used_date: null,
});

const loadKey = (results: readonly ApiKey[]) => {
  const fetch = async () => Response.json({ results });
  const api = createClient({ baseUrl: 'https://assay.test/api', fetch });
  return createQueryClient(() => {}).fetchQuery(apiKeyQuery({ api }));
};

it('§3 Api key: of several results the first is used', async () => {
  expect(await loadKey([keyNamed('first'), keyNamed('second'), keyNamed('third')])).toEqual(
    keyNamed('first'),
  );
});

it('§3 Api key: no results are no key', async () => {
  expect(await loadKey([])).toBeNull();
});
