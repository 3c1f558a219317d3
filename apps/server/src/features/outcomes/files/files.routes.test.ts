import { OUTCOME_FILES, outcomesRoutes } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildWorkbook } from '../../../platform/workbooks/testing/build-workbook.ts';
import { buildZip } from '../../../platform/workbooks/testing/build-zip.ts';
import { startTestApi, type TestApi } from '../../../testing/api.ts';
import { movableClock } from '../../../testing/clock.ts';
import { slack } from '../outcome.ts';

const clock = movableClock();
let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startTestApi({ clock });
});
afterAll(() => api.close());
beforeEach(async () => {
  token = await api.tokenFor();
});

type Contents = string | Buffer;
const send = (path: string, contents: Contents, fields: Record<string, string | number>, name: string) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  form.append('list_raw', new Blob([contents as never]), name);
  return api.call('POST', path, { token, body: form });
};
const preview = (contents: Contents, fields = {}, name = 'bounces.csv') =>
  send('/outcomes/files/preview', contents, fields, name);
const importFile = (contents: Contents, fields = {}, name = 'bounces.csv') =>
  send('/outcomes/files', contents, fields, name);
const kept = async () => {
  const { id } = (await api.call('GET', '/users/me', { token })).json();
  const { rows } = await api.database.pool.query(
    'select * from outcomes where owner_id = $1 order by number',
    [id],
  );
  return rows;
};
const refusal = (answer: { statusCode: number; json: () => { errors: { code: string }[] } }) => [
  answer.statusCode,
  answer.json().errors[0]?.code,
];

const at = new Date(clock.now().getTime() - 86_400_000);
at.setUTCMilliseconds(0);
const iso = at.toISOString();
const user = '550 5.1.1 User unknown';
const table = `email,event,timestamp,reason,sg_event_id
jane@exists.test,bounce,${iso},${user},event-1
Max Doe <max@exists.test>,delivered,${iso},250 OK,event-2
eva@exists.test,open,${iso},,event-3
not an address,bounce,${iso},${user},event-4
`;
const bounce = (recipient: string, id = '<report@mx.test>') =>
  `From: MAILER-DAEMON@mx.test\r\nSubject: Undelivered Mail Returned to Sender\r\nDate: ${at.toUTCString()}\r\nMessage-ID: ${id}\r\n\r\n<${recipient}>: host mx.test said:\r\n    ${user}\r\n`;

describe('POST /outcomes/files/preview', () => {
  it('200 shows what a table says and keeps nothing', async () => {
    const answer = await preview(table);

    expect(answer.statusCode).toBe(200);
    expect(outcomesRoutes.previewFile.success.schema.safeParse(answer.json()).error).toBeUndefined();
    expect(answer.json()).toMatchObject({
      format: 'csv',
      columns: { email: 1, kind: 2, at: 3, detail: 4, id: 5 },
      missing: [],
      total: 4,
      understood: 2,
      counts: { hard: 1, delivered: 1, soft: 0 },
      said_nothing: 1,
      not_readable: 1,
      problems: [{ place: 5, problem: 'This is no email address: “not an address”.' }],
    });
    expect(answer.json().examples).toMatchObject([
      { place: 2, email: 'jane@exists.test', kind: 'hard', at: iso, reason: { text: 'no such mailbox' } },
      { place: 3, email: 'max@exists.test', kind: 'delivered' },
    ]);
    expect(answer.json().first_rows[0]).toEqual(['email', 'event', 'timestamp', 'reason', 'sg_event_id']);
    expect(await kept()).toEqual([]);
  });

  it.each<[string, string, object, object]>([
    [
      'a semicolon and other names',
      `Recipient;Type;Bounced at\njane@exists.test;HardBounce;${iso}\n`,
      {},
      { email: 1, kind: 2, at: 3 },
    ],
    ['no header', `${iso}\tjane@exists.test\tsoft\n`, {}, { email: 2, kind: 3, at: 1 }],
    [
      'only replies',
      `email,date,smtp reply\njane@exists.test,${iso},${user}\n`,
      {},
      { kind: null, detail: 3 },
    ],
    [
      'a status of the reply beside the event',
      `status,email,event,date\n5.1.1,jane@exists.test,bounce,${iso}\n`,
      {},
      { email: 2, kind: 3 },
    ],
    [
      'Excel’s line with the delimiter',
      `sep=;\nemail;event;date\njane@exists.test;bounce;${iso}\n`,
      {},
      { email: 1 },
    ],
    [
      'chosen columns',
      `email,to,a,b\nx@x.test,jane@exists.test,${iso},bounce\n`,
      { email_column: 2, at_column: 3, kind_column: 4 },
      { email: 2, kind: 4, at: 3 },
    ],
    [
      'a kind and a day for all rows',
      'email\njane@exists.test\n',
      { kind: 'hard', date: iso.slice(0, 10) },
      { email: 1, kind: null, at: null },
    ],
  ])('200 reads a table with %s', async (_, contents, fields, columns) => {
    const answer = (await preview(contents, fields)).json();
    expect(answer).toMatchObject({ columns, missing: [], total: 1, understood: 1 });
    expect(answer.examples).toMatchObject([{ email: 'jane@exists.test' }]);
  });

  it('200 says what is missing, with the first rows to choose from', async () => {
    const answer = (await preview('name,when\nJane,soon\n')).json();
    expect(answer).toMatchObject({ missing: ['email', 'kind', 'at'], total: 1, understood: 0 });
    expect(answer.first_rows).toEqual([
      ['name', 'when'],
      ['Jane', 'soon'],
    ]);
  });

  it('200 reads a day by the other days of its column, and refuses one that may be two', async () => {
    const both = (
      await preview('email,event,date\na@exists.test,bounce,03/04/2025\nb@exists.test,bounce,25/04/2025\n')
    ).json();
    expect(both.examples.map((one: { at: string }) => one.at.slice(0, 10))).toEqual([
      '2025-04-03',
      '2025-04-25',
    ]);
    const one = (await preview('email,event,date\na@exists.test,bounce,03/04/2025\n')).json();
    expect(one.problems).toEqual([
      { place: 2, problem: 'The date may mean two days: “03/04/2025”. Write it like 2026-11-20.' },
    ]);
  });

  it.each([
    [
      'a kind that we do not know',
      `a@exists.test,fizzled,${iso}`,
      'What happened is not known by this name: “fizzled”.',
    ],
    ['a date that is none', 'a@exists.test,bounce,soon', 'This is no date that we know: “soon”.'],
    ['no date', 'a@exists.test,bounce,', 'The row has no date.'],
    [
      'a date to come',
      'a@exists.test,bounce,2199-01-01T00:00:00Z',
      'The date is in the future: “2199-01-01T00:00:00Z”.',
    ],
  ])('200 names a row with %s', async (_, row, problem) => {
    const good = `jane@exists.test,bounce,${iso}\n`;
    expect((await preview(`email,event,date\n${good}${good}${good}${row}\n`)).json()).toMatchObject({
      not_readable: 1,
      problems: [{ place: 5, problem }],
    });
  });

  it('200 reads the first sheet with addresses of a workbook, or a chosen one', async () => {
    const rows = [
      ['email', 'event', 'date'],
      ['jane@exists.test', 'bounce', iso],
    ];
    const book = buildWorkbook([
      { name: 'About', rows: [['Report'], ['of bounces']] },
      { name: 'Bounces', rows },
      { name: 'More', rows: [...rows, ['max@exists.test', 'soft', iso]] },
    ]);
    expect((await preview(book)).json()).toMatchObject({
      format: 'xlsx',
      sheet: 'Bounces',
      sheets: ['About', 'Bounces', 'More'],
      understood: 1,
    });
    expect((await preview(book, { sheet: 'More' })).json()).toMatchObject({ sheet: 'More', understood: 2 });
    expect(refusal(await preview(book, { sheet: 'Nothing' }))).toEqual([400, 'file_sheet_not_found']);
  });

  it('200 reads a mail, an mbox, and a zip file of mails or with a table', async () => {
    const mail = bounce('jane@exists.test');
    const mbox = `From a Fri Nov 20 09:30:00 2026\n${mail}\n\nFrom b Fri Nov 20 09:30:00 2026\nFrom: eva@exists.test\nSubject: Hello\n\nHow are you?\n`;
    const examples = [{ place: 1, email: 'jane@exists.test', kind: 'hard', at: iso }];

    expect((await preview(mail, {}, 'bounce.eml')).json()).toMatchObject({
      format: 'mails',
      columns: null,
      total: 1,
      understood: 1,
      examples,
    });
    expect((await preview(mbox, {}, 'mailbox')).json()).toMatchObject({
      format: 'mails',
      total: 2,
      understood: 1,
      said_nothing: 1,
      examples,
    });
    const zip = buildZip([
      { name: 'a/1.eml', bytes: mail },
      { name: '__MACOSX/a/._1.eml', bytes: 'x' },
      { name: 'b.mbox', bytes: mbox },
      { name: 'c.eml', bytes: 'nothing' },
    ]);
    expect((await preview(zip)).json()).toMatchObject({
      format: 'mails',
      total: 4,
      understood: 2,
      said_nothing: 1,
      problems: [{ place: 4, problem: 'This is no mail.' }],
    });
    expect((await preview(buildZip([{ name: 'bounces.csv', bytes: table }]))).json()).toMatchObject({
      format: 'zip',
      sheet: 'bounces.csv',
      understood: 2,
    });
  });

  it.each<[string, Contents, object, [number, string]]>([
    ['nothing', '', {}, [400, 'file_empty']],
    ['blank lines', '\n\n', {}, [400, 'file_empty']],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), {}, [400, 'file_not_text']],
    [
      'a broken zip file',
      Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(500)]),
      {},
      [400, 'file_workbook_broken'],
    ],
    ['a zip file of pictures', buildZip([{ name: 'a.png', bytes: 'x' }]), {}, [400, 'file_not_text']],
    ['a column that is not there', table, { email_column: 9 }, [400, 'file_column_not_found']],
    ['an unknown kind', table, { kind: 'opened' }, [400, 'invalid_request']],
    ['an unknown field', table, { nonsense: 1 }, [400, 'invalid_request']],
    [
      'too many rows',
      `email\n${'a@exists.test\n'.repeat(OUTCOME_FILES.rowsMax + 1)}`,
      {},
      [413, 'file_too_many_rows'],
    ],
    ['too many bytes', Buffer.alloc(OUTCOME_FILES.bytesMax + 1, 'a'), {}, [413, 'file_too_large']],
  ])('refuses %s', async (_, contents, fields, expected) => {
    expect(refusal(await preview(contents, fields))).toEqual(expected);
  });

  it('400 without a file, 401 without credentials', async () => {
    expect(
      refusal(await api.call('POST', '/outcomes/files/preview', { token, body: new FormData() })),
    ).toEqual([400, 'file_missing']);
    expect((await api.call('POST', '/outcomes/files/preview', { body: new FormData() })).statusCode).toBe(
      401,
    );
  });
});

describe('POST /outcomes/files', () => {
  it('200 keeps what the file says, as the judge of bounces reads it', async () => {
    const answer = await importFile(table);

    expect(outcomesRoutes.importFile.success.schema.safeParse(answer.json()).error).toBeUndefined();
    expect(answer.json()).toMatchObject({
      recorded: 2,
      repeated: 0,
      file: { understood: 2, not_readable: 1 },
    });
    expect(await kept()).toMatchObject([
      {
        email_address: 'jane@exists.test',
        kind: 'hard',
        action: 'suppress',
        words: user,
        happened_at: at,
        slack_seconds: 0,
        source: 'file',
        source_id: null,
        event_id: 'event-1',
      },
      { email_address: 'max@exists.test', kind: 'delivered' },
    ]);
    const suppressed = (await api.call('GET', '/suppressions', { token })).json().results;
    expect(suppressed).toMatchObject([
      { target: 'jane@exists.test', reason: 'hard_bounce', source: 'outcome' },
    ]);
    const activities = (await api.call('GET', '/users/me/activity?area=outcome', { token })).json().results;
    expect(activities).toMatchObject([{ kind: 'outcome.imported', about: '2 outcomes' }]);
  });

  it('keeps an event once, whether it comes by a file again, as a mail, by a call, or in a table', async () => {
    expect((await importFile(table)).json()).toMatchObject({ recorded: 2, repeated: 0 });
    expect((await importFile(table)).json()).toMatchObject({ recorded: 0, repeated: 2 });
    expect((await importFile(bounce('jane@exists.test'), {}, 'a.eml')).json()).toMatchObject({
      recorded: 0,
      repeated: 1,
    });
    const day = `email,event,date\njane@exists.test,bounce,${iso.slice(0, 10)}\n`;
    expect((await importFile(day)).json()).toMatchObject({ recorded: 0, repeated: 1 });
    const outcomes = [{ email: 'jane@exists.test', kind: 'bounce', at: iso, id: 'event-1' }];
    expect((await api.call('POST', '/outcomes', { token, body: { outcomes } })).json()).toEqual({
      recorded: 0,
      repeated: 1,
    });
    expect(await kept()).toHaveLength(2);
  });

  it('a mail knows its time to ten minutes, and counts once for each recipient', async () => {
    const mails = [bounce('jane@exists.test'), bounce('jane@exists.test'), bounce('max@exists.test')];
    const mbox = mails.map((mail) => `From a Fri Nov 20 09:30:00 2026\n${mail}\n`).join('\n');
    expect((await importFile(mbox)).json()).toMatchObject({ recorded: 2, repeated: 1 });
    expect(await kept()).toMatchObject([
      { email_address: 'jane@exists.test', slack_seconds: slack.mail, event_id: null },
      { email_address: 'max@exists.test' },
    ]);
  });

  it('keeps a long file in several steps', async () => {
    const rows = Array.from({ length: 12_000 }, (_, row) => `p${row}@exists.test,soft,${iso}\n`);
    expect((await importFile(`email,event,date\n${rows.join('')}`)).json()).toMatchObject({
      recorded: 12_000,
      file: { understood: 12_000 },
    });
    const counted = (await api.call('GET', '/outcomes', { token })).json();
    expect([counted.total, counted.counts.soft]).toEqual([12_000, 12_000]);
  });

  it('422 names what the file does not say, and keeps nothing', async () => {
    const answer = await importFile('email\njane@exists.test\n');
    expect(refusal(answer)).toEqual([422, 'outcome_file_unclear']);
    expect(answer.json().errors[0].meta.missing).toEqual(['kind', 'at']);
    expect(await kept()).toEqual([]);
  });
});

describe('GET /outcomes', () => {
  const list = async (query = '') => (await api.call('GET', `/outcomes?${query}`, { token })).json();
  const emails = async (query: string) =>
    (await list(query)).results.map(({ email }: { email: string }) => email);

  it('200 lists what came in, the newest first, with counts by kind', async () => {
    expect(await list()).toMatchObject({ results: [], total: 0, counts: { hard: 0, unclear: 0 } });
    await importFile(table);
    const answer = await api.call('GET', '/outcomes', { token });

    expect(outcomesRoutes.listOutcomes.success.schema.safeParse(answer.json()).error).toBeUndefined();
    expect(answer.json()).toMatchObject({
      total: 2,
      counts: { hard: 1, delivered: 1, soft: 0 },
      results: [
        { number: 2, email: 'max@exists.test', kind: 'delivered', source: 'file' },
        {
          number: 1,
          email: 'jane@exists.test',
          kind: 'hard',
          at: iso,
          action: 'suppress',
          words: user,
          reason: { code: 'no_such_mailbox', text: 'no such mailbox' },
        },
      ],
    });
  });

  it('200 filters by kind and by address, whole or in part, in pages', async () => {
    await importFile(table);
    expect(await emails('kind=hard')).toEqual(['jane@exists.test']);
    expect((await list('kind=hard')).total).toBe(1);
    expect(await emails('search=JANE@Exists.test')).toEqual(['jane@exists.test']);
    expect(await emails('search=ax%40ex')).toEqual(['max@exists.test']);
    expect(await emails('search=%25')).toEqual([]);
    expect(await emails('search=max&kind=hard')).toEqual([]);
    expect(await emails('page_size=1&page_number=2')).toEqual(['jane@exists.test']);
    expect((await list('search=jane@exists.test')).total).toBe(1);
  });

  it('counts what is replaced and deleted no more, and shows nothing of others', async () => {
    const day = `email,event,date\njane@exists.test,bounce,${iso.slice(0, 10)}\n`;
    await importFile(day);
    expect((await list()).counts).toMatchObject({ unclear: 1, hard: 0 });
    await importFile(table);
    expect(await list()).toMatchObject({ total: 2, counts: { unclear: 0, hard: 1, delivered: 1 } });
    token = await api.tokenFor();
    expect(await list()).toMatchObject({ results: [], total: 0 });
  });

  it('403 for a key without the scope, 401 without credentials', async () => {
    const body = { name: 'Key', scopes: ['verify'] };
    const { api_token } = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
    const byKey = await api.call('GET', '/outcomes', { headers: { 'x-api-key': api_token } });
    expect(refusal(byKey)).toEqual([403, 'missing_scope_report_outcomes']);
    expect((await api.call('GET', '/outcomes')).statusCode).toBe(401);
  });
});
