// The arrows of docs/architecture.md as rules. Zones are built from the folder listing, so that a new
// feature is covered the day it appears.
import { readdirSync } from 'node:fs';
import { featureRows } from './scripts/lib/feature-rows.ts';

const foldersIn = (path) => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
};

const isTest = '\\.test\\.tsx?$|/testing/';
const ours = '^(apps|packages)/';

const packageArrows = [
  { from: 'contract', may: [] },
  { from: 'client', may: ['contract'] },
  { from: 'assistants', may: ['client', 'contract'] },
  { from: 'verifier', may: [] },
  { from: 'postgres', may: [] },
  { from: 'pages', may: [] },
  { from: 'identity', may: ['pages'] },
  { from: 'mail-world', may: [] },
  { from: 'stand-ins', may: ['pages'] },
].map(({ from, may }) => ({
  name: `${from}-arrows`,
  comment: `packages/${from} may import ${may.length ? may.join(', ') : 'none of ours'}; take what you need as an argument.`,
  severity: 'error',
  from: { path: `^packages/${from}/`, pathNot: isTest },
  to: { path: ours, pathNot: `^packages/(${[from, ...may].join('|')})/` },
}));

const serverFeatures = foldersIn('apps/server/src/features').map((feature) => ({
  name: `server-feature-${feature}`,
  comment: `one feature reaches another only through its index.ts, its reading.ts in jobs of reading threads, or its set-up.ts before the product runs; export what you need from features/${feature}/index.ts.`,
  severity: 'error',
  from: { path: '^apps/server/', pathNot: [`^apps/server/src/features/${feature}/`, isTest] },
  to: { path: `^apps/server/src/features/${feature}/`, pathNot: '/(index|reading|set-up)\\.ts$' },
}));

for (const feature of foldersIn('apps/server/src/features')) {
  if (!featureRows.flat().includes(feature))
    throw new Error(`Give features/${feature} a row in featureRows.`);
}
const featureOrder = featureRows.map((row, index) => ({
  name: `server-order-${row.join('-')}`,
  comment:
    'a feature imports features of lower rows only (featureRows); take a callback or an argument instead.',
  severity: 'error',
  from: { path: `^apps/server/src/features/(${row.join('|')})/`, pathNot: isTest },
  to: {
    path: `^apps/server/src/features/(${featureRows.slice(index).flat().join('|')})/`,
    pathNot: '^apps/server/src/features/$1/',
  },
}));

// What the rooms of the verifier's scheduling may import of each other.
const schedulingArrows = [
  { from: 'jobs', may: [] },
  { from: 'hosts', may: ['jobs'] },
  { from: 'probes', may: ['jobs'] },
].map(({ from, may }) => ({
  name: `verifier-scheduling-${from}`,
  comment: `checks use hosts and probes, which know jobs only and not each other; give scheduling/${from} a callback or an argument instead.`,
  severity: 'error',
  from: { path: `^packages/verifier/src/scheduling/${from}/`, pathNot: isTest },
  to: {
    path: '^packages/verifier/src/scheduling/',
    pathNot: `^packages/verifier/src/scheduling/(${[from, ...may].join('|')})/`,
  },
}));

const roomArrows = [
  {
    name: 'contract-names',
    comment: 'names are for pages that load no schema: constants and words, no zod and no call.',
    severity: 'error',
    from: { path: '^packages/contract/src/names/', pathNot: isTest },
    to: { pathNot: '^packages/contract/src/names/' },
  },
  {
    name: 'contract-input',
    comment: 'what reads the input of people knows no call.',
    severity: 'error',
    from: { path: '^packages/contract/src/input/', pathNot: isTest },
    to: { path: '^packages/contract/src/', pathNot: '^packages/contract/src/(names|input)/' },
  },
  {
    name: 'verification-rows',
    comment: 'rows are what the database keeps of lists: lists use them, and they know no list under way.',
    severity: 'error',
    from: { path: '^apps/server/src/features/verification/rows/', pathNot: isTest },
    to: {
      path: '^apps/server/src/features/verification/',
      pathNot: '^apps/server/src/features/verification/(rows/|[^/]+$)',
    },
  },
];

// The code that reads files of customers, and the jobs of reading threads with what only they use.
const fileReaders = `^apps/server/src/(${[
  'platform/csv/(csv-reader|open-table|read-rows|read-sample)',
  'platform/workbooks/(open-workbook|packed-files)',
  'features/uploads/read-text',
  'features/outcomes/files/(read-table|read-mails)',
  'features/verification/files/(email-file|dialect)',
  'features/guessing/lists/(people-file|excluded-people)',
].join('|')})\\.ts$`;
const readJobs = `^apps/server/src/features/(${[
  'outcomes/(files/outcome-file|mailboxes/read-mails)\\.job',
  'verification/files/email-jobs',
  'verification/lists/row-lines',
  'guessing/lists/people-jobs',
  'suppressions/suppressions-file',
  // Its other parts are short; it names the errors of the readers.
  'uploads/(reading|refused-file)',
].join('|')})\\.ts$`;

const webFeatures = foldersIn('apps/web/src/features').map((feature) => ({
  name: `web-feature-${feature}`,
  comment: 'web features do not import each other; the app composes them, or the piece belongs in shared/.',
  severity: 'error',
  from: { path: `^apps/web/src/features/${feature}/` },
  to: { path: '^apps/web/src/features/', pathNot: `^apps/web/src/features/${feature}/` },
}));

export default {
  forbidden: [
    ...packageArrows,
    ...serverFeatures,
    ...featureOrder,
    ...schedulingArrows,
    ...roomArrows,
    ...webFeatures,
    {
      name: 'web-arrows',
      comment: 'the web app talks through packages/client and packages/contract and nothing else of ours.',
      severity: 'error',
      from: { path: '^apps/web/', pathNot: isTest },
      to: { path: ours, pathNot: '^(apps/web|packages/client|packages/contract)/' },
    },
    {
      name: 'server-arrows',
      comment:
        'product code imports assistants, contract, pages and verifier only; bin/ and tests start the identity provider, PostgreSQL, the mail world and the stand-ins.',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: [isTest, '^apps/server/bin/'] },
      to: {
        path: ours,
        pathNot: '^(apps/server|packages/assistants|packages/contract|packages/pages|packages/verifier)/',
      },
    },
    {
      name: 'server-platform',
      comment: 'platform is below the features: take a callback or an argument instead.',
      severity: 'error',
      from: { path: '^apps/server/src/platform/', pathNot: isTest },
      to: { path: '^apps/server/src/(?!platform/)' },
    },
    {
      name: 'server-files-in-jobs',
      comment:
        'files of customers are read by jobs on reading threads, so that they never block the event loop: call the job with readingPool.read (docs/decisions/reading-threads.md).',
      severity: 'error',
      from: { path: '^apps/server/', pathNot: [isTest, fileReaders, readJobs] },
      to: { path: fileReaders, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-shared',
      comment: 'shared code must not know the app or a feature; take a callback.',
      severity: 'error',
      from: { path: '^apps/web/src/shared/', pathNot: isTest },
      to: { path: '^apps/web/src/(app|features)/' },
    },
    {
      name: 'no-circular',
      comment: 'a circle means two files are one, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-resolvable',
      comment: 'imports what is not there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?(url|raw)$' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
