import type pg from 'pg';
import { Client } from '../../../platform/database/client.ts';

/**
 * A connection for COPY. When the work fails, the connection is cut: a server that still sends rows to a reader who left
 * would not notice a polite end.
 */
export async function withCopyConnection<Result>(
  { url, applicationName }: { url: string; applicationName: string },
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: applicationName, keepAlive: true });
  // A connection that breaks fails the statement that uses it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await work(client);
    await client.end();
    return result;
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}
