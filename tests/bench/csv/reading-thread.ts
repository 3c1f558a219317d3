// Reads one text by one reader, and reports the processor time of that. A thread of its own can be stopped.
import { parentPort, workerData } from 'node:worker_threads';
import Papa from 'papaparse';
import { CsvReader, RowTooLarge } from '../../../apps/server/src/platform/csv/csv-reader.ts';
import { texts } from './texts.ts';

export interface Order {
  readonly reader: 'assay' | 'papaparse';
  readonly name: string;
}
export interface Reading {
  readonly cpuMs: number;
  readonly rowCount: number;
  readonly isRefused: boolean;
}

const pieceLength = 1 << 16;
const delimiter = ',';

const readers: Record<Order['reader'], (text: string) => Omit<Reading, 'cpuMs'>> = {
  assay: (text) => {
    const reader = new CsvReader({ delimiter, quote: '"' }, { onMend: () => undefined });
    let rowCount = 0;
    try {
      for (let start = 0; start < text.length; start += pieceLength)
        rowCount += reader.push(text.slice(start, start + pieceLength)).length;
      rowCount += reader.finish().length;
    } catch (error) {
      if (error instanceof RowTooLarge) return { rowCount, isRefused: true };
      throw error;
    }
    return { rowCount, isRefused: false };
  },
  papaparse: (text) => {
    let rowCount = 0;
    const step = () => {
      rowCount += 1;
    };
    Papa.parse(text, { delimiter, quoteChar: '"', skipEmptyLines: true, step });
    return { rowCount, isRefused: false };
  },
};

const { reader, name } = workerData as Order;
const text = (texts[name] as () => string)();
const before = process.threadCpuUsage();
parentPort?.postMessage('begins');
const read = readers[reader](text);
const { user, system } = process.threadCpuUsage(before);
parentPort?.postMessage({ ...read, cpuMs: (user + system) / 1_000 } satisfies Reading);
