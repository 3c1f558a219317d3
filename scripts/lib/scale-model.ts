// How many processes, connections, bytes and primaries a number of checks needs. docs/scale.md explains it.

/** What a million checks cost, as `npm run bench -- load --only cost` prints it. */
export interface CostPerMillion {
  readonly apiCpuSeconds: number;
  readonly workerCpuSeconds: number;
  readonly databaseCpuSeconds: number;
  readonly walMegabytes: number;
  readonly storedMegabytes: number;
  readonly rowsInserted: number;
}

export const costs: Record<'inLists' | 'single', CostPerMillion> = {
  inLists: {
    apiCpuSeconds: 19,
    workerCpuSeconds: 54,
    databaseCpuSeconds: 55,
    walMegabytes: 1_021,
    storedMegabytes: 728,
    rowsInserted: 2_050_000,
  },
  single: {
    apiCpuSeconds: 5_163,
    workerCpuSeconds: 4_345,
    databaseCpuSeconds: 11_723,
    walMegabytes: 6_393,
    storedMegabytes: 3_449,
    rowsInserted: 6_016_000,
  },
};

export interface Load {
  readonly checksPerYear: number;
  /** The part that is single checks; the others are in lists. */
  readonly singlePart: number;
  /** The busiest minute, as a multiple of the average. */
  readonly peak: number;
  /** How long results are kept. */
  readonly keptDays: number;
  /** Checks per second that mail hosts bear from one egress address. */
  readonly checksPerEgress: number;
}

/** What one machine may bear in the busiest minute. */
export interface Machines {
  /** The part of a processor that a process may use, so that it has room for more. */
  readonly busyPart: number;
  readonly primaryCores: number;
  readonly primaryWalMegabytesPerSecond: number;
  readonly primaryStoredTerabytes: number;
}

export const usualMachines: Machines = {
  busyPart: 0.5,
  primaryCores: 32,
  primaryWalMegabytesPerSecond: 100,
  primaryStoredTerabytes: 8,
};

export interface Plan {
  readonly averagePerSecond: number;
  readonly peakPerSecond: number;
  readonly apiProcesses: number;
  readonly workerProcesses: number;
  readonly egressAddresses: number;
  readonly databaseCores: number;
  readonly databaseConnections: number;
  readonly walMegabytesPerSecond: number;
  readonly rowsPerYear: number;
  readonly storedTerabytes: number;
  readonly primaries: number;
  /** What asks for that many. */
  readonly limitedBy: 'processors' | 'log' | 'disk';
}

const secondsPerYear = 365 * 86_400;
/** Sessions of a process with the default pool; docs/operations.md counts them. */
const sessions = { api: 13, worker: 27 } as const;

export function planFor(load: Load, machines: Machines = usualMachines): Plan {
  const averagePerSecond = load.checksPerYear / secondsPerYear;
  const peakPerSecond = averagePerSecond * load.peak;
  const ofOne = (name: keyof CostPerMillion) =>
    (costs.single[name] * load.singlePart + costs.inLists[name] * (1 - load.singlePart)) / 1_000_000;
  const cores = (name: keyof CostPerMillion) => (ofOne(name) * peakPerSecond) / machines.busyPart;

  // A Node process uses one processor; a worker has a second thread, which does the larger part for lists.
  const apiProcesses = atLeastOne(cores('apiCpuSeconds'));
  const egressAddresses = atLeastOne(peakPerSecond / load.checksPerEgress);
  // An egress address belongs to at least one worker.
  const workerProcesses = Math.max(atLeastOne(cores('workerCpuSeconds')), egressAddresses);
  const walMegabytesPerSecond = ofOne('walMegabytes') * peakPerSecond;
  const storedTerabytes = (ofOne('storedMegabytes') * load.checksPerYear * load.keptDays) / 365 / 1_000_000;
  const shares = {
    processors: cores('databaseCpuSeconds') / machines.primaryCores,
    log: walMegabytesPerSecond / machines.primaryWalMegabytesPerSecond,
    disk: storedTerabytes / machines.primaryStoredTerabytes,
  };
  const [limitedBy, share] = Object.entries(shares).reduce((most, other) =>
    other[1] > most[1] ? other : most,
  );
  return {
    averagePerSecond,
    peakPerSecond,
    apiProcesses,
    workerProcesses,
    egressAddresses,
    databaseCores: cores('databaseCpuSeconds'),
    databaseConnections: apiProcesses * sessions.api + workerProcesses * sessions.worker,
    walMegabytesPerSecond,
    rowsPerYear: ofOne('rowsInserted') * load.checksPerYear,
    storedTerabytes,
    primaries: atLeastOne(share),
    limitedBy: limitedBy as Plan['limitedBy'],
  };
}

const atLeastOne = (amount: number): number => Math.max(1, Math.ceil(amount));

/** The plan as a table of text, one column for each load. */
export function renderPlans(loads: readonly Load[], machines?: Machines): string {
  const plans = loads.map((load) => planFor(load, machines));
  const figure = (amount: number) =>
    amount < 10 ? amount.toFixed(1) : Math.round(amount).toLocaleString('en-US');
  const whole = (amount: number) => amount.toLocaleString('en-US');
  const rows: [string, (plan: Plan, index: number) => string][] = [
    ['checks a year, millions', (_, index) => whole((loads[index]?.checksPerYear ?? 0) / 1_000_000)],
    ['checks a second', ({ averagePerSecond }) => figure(averagePerSecond)],
    ['in the busiest minute', ({ peakPerSecond }) => figure(peakPerSecond)],
    ['API processes', ({ apiProcesses }) => whole(apiProcesses)],
    ['worker processes', ({ workerProcesses }) => whole(workerProcesses)],
    ['egress addresses', ({ egressAddresses }) => whole(egressAddresses)],
    ['database processors', ({ databaseCores }) => figure(databaseCores)],
    ['database connections', ({ databaseConnections }) => whole(databaseConnections)],
    ['database log, MB a second', ({ walMegabytesPerSecond }) => figure(walMegabytesPerSecond)],
    ['rows a year, millions', ({ rowsPerYear }) => figure(rowsPerYear / 1_000_000)],
    ['stored, TB', ({ storedTerabytes }) => figure(storedTerabytes)],
    ['primaries', ({ primaries }) => whole(primaries)],
    ['their limit', ({ limitedBy }) => limitedBy],
  ];
  return rows
    .map(
      ([name, text]) => name.padEnd(27) + plans.map((plan, index) => text(plan, index).padStart(12)).join(''),
    )
    .join('\n');
}

export const usualLoad: Load = {
  checksPerYear: 10_000_000_000,
  singlePart: 0.1,
  peak: 5,
  keptDays: 365,
  checksPerEgress: 50,
};

/** As the page shows them. */
export const usualLoads: readonly Load[] = [1e8, 1e9, 1e10, 1e11].map((checksPerYear) => ({
  ...usualLoad,
  checksPerYear,
}));
