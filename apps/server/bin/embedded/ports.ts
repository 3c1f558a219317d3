import { createServer } from 'node:net';

export interface WantedPort {
  readonly port: number;
  readonly host: string;
  readonly use: string;
}

/** Finds every port that is taken before anything is started, and says what to do. */
export async function requireFreePorts(wanted: readonly WantedPort[]): Promise<void> {
  const taken: WantedPort[] = [];
  for (const candidate of wanted) if (!(await isFree(candidate))) taken.push(candidate);
  if (taken.length === 0) return;

  const list = taken.map(({ port, use }) => `${port} (${use})`).join(' and ');
  throw new Error(
    `Port ${list} is taken by another program. Stop it, or start Assay elsewhere, for example: PORT=3100 npm start`,
  );
}

function isFree({ port, host }: WantedPort): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else if (error.code === 'EACCES') {
        reject(
          new Error(
            `Port ${port} needs a privileged user here. Choose one above 1023, for example PORT=3100.`,
          ),
        );
      } else reject(error);
    });
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
