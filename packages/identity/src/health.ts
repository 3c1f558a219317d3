import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Installation } from './installation.ts';

/** `/health/live`: the process answers. `/health/ready`: it can work. Answers these two, whatever the provider's own path is. */
export function answerHealth(
  { database }: Pick<Installation, 'database'>,
  { url }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const answer = (status: number, word: string) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ status: word }));
  if (url === '/health/live') answer(200, 'ok');
  else if (url === '/health/ready')
    database.query('SELECT 1').then(
      () => answer(200, 'ok'),
      () => answer(503, 'database_unreachable'),
    );
  else return false;
  return true;
}
