import { afterAll } from 'vitest';
import { startTestApi, type TestApi } from './api.ts';
import { startTestWorker, type TestWorker } from './worker.ts';

/** Turns the sandbox on; the worker has its own mail world. */
export const sandboxSettings = {
  ASSAY_SANDBOX_DNS: '127.0.0.1:5354',
  ASSAY_SANDBOX_RANGES: '127.0.0.0/8@2526',
};

/** The API and a worker for all tests of a file. */
export async function productOfFile(): Promise<{ api: TestApi; worker: TestWorker }> {
  const api = await startTestApi();
  const worker = await startTestWorker(api);
  afterAll(async () => {
    await worker.close();
    await api.close();
  });
  return { api, worker };
}
