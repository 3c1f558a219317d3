import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnavailableError } from '@assay/client';
import { readZip } from '../../../../apps/server/src/testing/read-sheets.ts';
import { collectFaults } from '../../checks.ts';
import type { Kind } from '../stage.ts';

const rowCount = 400;
/** Downloads would otherwise keep the machine busy. */
const pauseMs = 100;

/** Files that are made while they are downloaded: exports of a list as CSV and workbook, and the archive of all data. */
export const downloads: Kind = {
  name: 'downloads',
  begin: async (stage) => {
    const { deadline, insist } = stage;
    const { client } = await stage.signUp();
    const { createListFromEmails, getList, exportList } = client.validations;
    const emails = Array.from({ length: rowCount }, (_, row) => `staff.${row}@prompt-5.test`);
    const { id: list_id } = await createListFromEmails({ body: { emails } });
    await deadline.until('a list to export is complete', async () => {
      return (await getList({ params: { list_id } })).status === 'COMPLETE';
    });
    const linkOf = async (format: 'csv' | 'xlsx') =>
      (await exportList({ params: { list_id }, query: { format } })).download_link;
    const archive = await client.records.exportData();
    const files = [
      { name: 'CSV file', link: await linkOf('csv'), read: (file: Buffer) => file.toString() },
      { name: 'workbook', link: await linkOf('xlsx'), read: readParts },
      // Other parts tell of the downloads themselves.
      { name: 'archive', link: archive.download_link, read: readListParts },
    ];
    const originals = await Promise.all(files.map(async ({ link, read }) => read(await download(link))));
    const { faults, demand } = collectFaults();
    demand('rows of the CSV file', originals[0]?.split('@prompt-5.test').length, rowCount + 1);
    let brokenCount = 0;
    let wholeCount = 0;
    return {
      work: async () => {
        for (let count = 0; count < files.length || stage.isUneasy; count += 1) {
          const at = count % files.length;
          const { name, link, read } = files[at] ?? { name: '', link: '', read: String };
          const file = await insist(() =>
            download(link).catch((error: unknown) => {
              brokenCount += 1;
              throw error;
            }),
          );
          wholeCount += 1;
          if (read(file) !== originals[at]) faults.push(`a ${name} is not complete: ${file.length} bytes`);
          await pause(pauseMs);
        }
      },
      check: async () => {
        stage.note(`${wholeCount} whole, ${brokenCount} broken off`);
        return faults;
      },
    };
  },
};

/** Rejects if the file breaks off. */
async function download(link: string): Promise<Buffer> {
  try {
    const answer = await fetch(link);
    if (answer.status === 503) throw new ServiceUnavailableError();
    if (!answer.ok) throw new Error(`a download answers ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw error instanceof TypeError ? new ServiceUnavailableError({ cause: error }) : error;
  }
}

const readParts = (zip: Buffer): string => JSON.stringify(readZip(zip));
const readListParts = (zip: Buffer): string =>
  JSON.stringify(readZip(zip).filter(({ name }) => name.startsWith('lists/')));
