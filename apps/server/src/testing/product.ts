import { afterAll } from 'vitest';
import { startTestApi, type TestApi } from './api.ts';
import { startTestWorker, type TestWorker } from './worker.ts';

/** That they are given turns the sandbox on; who answers is the worker's to know. */
export const sandboxSettings = {
  ASSAY_SANDBOX_DNS: '127.0.0.1:5354',
  ASSAY_SANDBOX_RANGES: '127.0.0.0/8@2526',
};

/** The API and a worker beside it for all tests of a file; they end with them. */
export async function productOfFile(): Promise<{ api: TestApi; worker: TestWorker }> {
  const api = await startTestApi();
  const worker = await startTestWorker(api);
  afterAll(async () => {
    await worker.close();
    await api.close();
  });
  return { api, worker };
}
