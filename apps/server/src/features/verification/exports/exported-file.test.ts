import { randomUUID } from 'node:crypto';
import { type ListPreview, type ValidationList, VERDICTS } from '@assay/contract';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { productOfFile } from '../../../testing/product.ts';
import { readSheets } from '../../../testing/read-sheets.ts';
import { emailLists } from '../lists/email-lists.ts';
import { beginPage, copyStatement } from './export-rows.store.ts';

const { api } = await productOfFile();

const everything = 'status=VALID&status=INVALID&status=CATCH_ALL&status=UNKNOWN';

async function send<Answer>(
  token: string,
  path: string,
  file: string,
  withHeaders: boolean,
): Promise<Answer> {
  const form = new FormData();
  form.append('with_headers', String(withHeaders));
  form.append('list_raw', new Blob([file]), 'customers.csv');
  return (await api.call('POST', path, { token, body: form })).json();
}
const preview = async (file: string): Promise<ListPreview> =>
  send(await api.tokenFor(), '/validations/lists_bulk/validation', file, true);

/** A list made of a file and verified, and what can be downloaded of it. */
async function verified(file: string, { withHeaders = true } = {}) {
  const token = await api.tokenFor();
  const made = await send<ValidationList>(token, '/validations/lists_bulk', file, withHeaders);
  const find = async () =>
    (await api.call('GET', `/validations/lists/${made.id}`, { token })).json<ValidationList>();
  await expect.poll(async () => (await find()).status).toBe('COMPLETE');
  const order = (query: string) =>
    api.call('POST', `/validations/lists/${made.id}/export?${query}`, { token });
  const download = async (query: string) => {
    const { pathname, search } = new URL((await order(query)).json().download_link);
    return api.app.inject({ url: pathname + search });
  };
  return {
    list: await find(),
    order,
    download,
    columns: async () => (await api.call('GET', `/validations/lists/${made.id}/columns`, { token })).json(),
    text: async (query: string) => (await download(query)).body.replace('\ufeff', ''),
    lines: async (query: string) => (await download(query)).body.replace('\ufeff', '').trimEnd().split('\n'),
  };
}

describe('an export of what is filtered', () => {
  const file = [
    'name,email,city',
    'Jane,jane@exists.test,Bern',
    'Info,info@exists.test,Rome',
    'No,nobody@exists.test,Oslo',
  ];

  it('has the rows that match every filter, as the emails of the list do', async () => {
    const { lines, download } = await verified(file.join('\n'));
    const names = async (query: string) => (await lines(query)).slice(1).map((line) => line.split(',')[0]);

    expect(await names('search=NE%40ex')).toEqual(['Jane']);
    expect(await names('reason=no_such_mailbox&reason=catch_all')).toEqual(['No']);
    expect(await names('flag=role')).toEqual(['Info']);
    expect(await names('mx_provider=exists.test&status=VALID')).toEqual(['Jane', 'Info']);
    expect(await names("mx_provider=exists.test'; drop table x; --")).toEqual([]);
    expect(await names('search=%25')).toEqual([]);
    const { headers } = await download('flag=role');
    expect(headers['content-disposition']).toContain('customers - filtered emails.csv');
  });

  it('has the chosen columns, ours in their own order, as a spreadsheet too', async () => {
    const { lines, download, list } = await verified(file.join('\n'));

    expect(await lines('status=INVALID&column=3&column=2&result_column=reason&result_column=result')).toEqual(
      ['city,email,result,reason', 'Oslo,nobody@exists.test,INVALID,no_such_mailbox'],
    );
    expect(await lines('status=INVALID&column=0')).toEqual([
      'result,reason,flags,mx_provider,suggestion',
      'INVALID,no_such_mailbox,,exists.test,',
    ]);
    const [sheet] = await readSheets((await download('status=INVALID&column=2&format=xlsx')).rawPayload);
    expect(sheet?.[1]?.slice(0, 2)).toEqual(['nobody@exists.test', 'INVALID']);
    expect(list.name).toBe('customers');
  });

  it('400 for a filter of the whole file', async () => {
    const { order } = await verified(file.join('\n'));

    expect((await order('rows=all&flag=role')).statusCode).toBe(400);
  });

  it('the list names its columns to choose from', async () => {
    const { columns } = await verified(file.join('\n'));

    expect(await columns()).toEqual({ columns: ['name', 'email', 'city'], email_column: 2 });
  });

  it('columns without headers have no names', async () => {
    const { columns } = await verified(file.slice(1).join('\n'), { withHeaders: false });

    expect(await columns()).toEqual({ columns: ['', '', ''], email_column: 2 });
  });
});

describe('an export after outcomes were reported', () => {
  const file = ['email', 'jane@exists.test', 'max@exists.test', 'JANE@exists.test', ''];

  /** As the job that matches them leaves them. */
  async function withOutcomes() {
    const made = await verified(file.join('\n'));
    const { pool } = api.database;
    const { rows } = await pool.query('select owner_id from lists where id = $1', [made.list.id]);
    const outcome = async (number: number, kind: string, reason: string, at: string) => {
      await pool.query(
        `insert into outcomes (owner_id, number, email_address, address_key, kind, subject, action, reason, rule, words,
           happened_at, slack_seconds, source, recorded_at)
         values ($1, $2, 'jane@exists.test', 1, $3, 'mailbox', 'none', $4, 'a-rule', '', $5, 0, 'api', now())`,
        [rows[0].owner_id, number, kind, reason, at],
      );
      await pool.query(
        `insert into outcome_matches (owner_id, check_id, row_number, outcome_number)
         select owner_id, list_id, row_number, $2 from list_rows where list_id = $1 and email_address = 'jane@exists.test'`,
        [made.list.id, number],
      );
    };
    await outcome(1, 'delivered', 'delivered', '2026-11-19T09:00:00Z');
    await outcome(2, 'hard', 'no_such_mailbox', '2026-11-20T23:59:00Z');
    await outcome(3, 'not_sent', 'suppressed_by_sender', '2026-11-21T09:00:00Z');
    return made;
  }

  it('says in a last column what happened last, also beside duplicates, and in a spreadsheet', async () => {
    const { lines, download } = await withOutcomes();
    const bounced = 'bounced 2026-11-20: no such mailbox';

    expect(await lines(everything)).toEqual([
      'email,result,reason,flags,mx_provider,suggestion,outcome',
      `jane@exists.test,VALID,mailbox_accepted,,exists.test,,${bounced}`,
      'max@exists.test,UNKNOWN,mailbox_full,,exists.test,,',
    ]);
    expect((await lines('rows=all')).slice(1)).toEqual([
      `jane@exists.test,VALID,mailbox_accepted,,exists.test,,${bounced}`,
      'max@exists.test,UNKNOWN,mailbox_full,,exists.test,,',
      `JANE@exists.test,VALID,mailbox_accepted,,exists.test,,${bounced}`,
    ]);
    expect(await lines(`${everything}&column=0&result_column=outcome`)).toEqual(['outcome', bounced]);
    const [sheet] = await readSheets((await download(`${everything}&format=xlsx`)).rawPayload);
    expect(sheet?.[1]?.at(-1)).toBe(bounced);
  });

  it('comes back without the columns that we added', async () => {
    const { text } = await withOutcomes();
    const { lines } = await verified(await text(everything));
    expect((await lines(everything))[0]).toBe('email,result,reason,flags,mx_provider,suggestion');
  });
});

describe('the columns of an export', () => {
  const ragged = [
    'email,name,city',
    'jane@exists.test',
    'nobody@exists.test,N,Bern,extra',
    ',,',
    'not one,x',
  ];

  it('line up: short rows and the header are filled up to the widest row', async () => {
    const { lines } = await verified(ragged.join('\n'));

    expect(await lines(`${everything}&rows=all`)).toEqual([
      'email,name,city,,result,reason,flags,mx_provider,suggestion',
      'jane@exists.test,,,,VALID,mailbox_accepted,,exists.test,',
      'nobody@exists.test,N,Bern,extra,INVALID,no_such_mailbox,,exists.test,',
      ',,,,no email,no_email,,,',
      'not one,x,,,INVALID,syntax,,,',
    ]);
  });

  it('line up in a file without headers too, and in a part of it', async () => {
    const { lines } = await verified(ragged.slice(1).join('\n'), { withHeaders: false });

    expect(await lines('status=VALID')).toEqual(['jane@exists.test,,,,VALID,mailbox_accepted,,exists.test,']);
  });

  it('line up with the header in a list that is older than its column count', async () => {
    const { list, lines } = await verified(ragged.slice(0, 2).join('\n'));
    await api.database.pool.query(
      'update lists set column_count = null, email_column = null, is_even = false where id = $1',
      [list.id],
    );

    expect(await lines(everything)).toEqual([
      'email,name,city,result,reason,flags,mx_provider,suggestion',
      'jane@exists.test,,,VALID,mailbox_accepted,,exists.test,',
    ]);
  });
});

describe('cells that a spreadsheet would run', () => {
  const file = Papa.unparse(
    [
      ['email', '=header', 'phone'],
      ['jane@exists.test', '=HYPERLINK("http://a.test";"x")', '+41 44 668 18 00'],
      ['-jane@exists.test', '@SUM(A1)', '-5'],
      ['nobody@exists.test', "='Sheet 1'!A1'", "'own"],
    ],
    { newline: '\n' },
  );

  it('get an apostrophe in front, numbers and phone numbers do not; formulas=raw leaves them', async () => {
    const { text } = await verified(file);
    const cells = Papa.parse<string[]>((await text(`${everything}&rows=all`)).trimEnd()).data;

    expect(cells.map((row) => row.slice(0, 3))).toEqual([
      ['email', "'=header", 'phone'],
      ['jane@exists.test', '\'=HYPERLINK("http://a.test";"x")', '+41 44 668 18 00'],
      ["'-jane@exists.test", "'@SUM(A1)", '-5'],
      ['nobody@exists.test', "'='Sheet 1'!A1'", "'own"],
    ]);
    const raw = Papa.parse<string[]>((await text(`${everything}&rows=all&formulas=raw`)).trimEnd()).data;
    expect(raw.map((row) => row.slice(0, 3))).toEqual(Papa.parse(file).data);
  });

  it('come back as they were when the export is uploaded again', async () => {
    const exported = await (await verified(file)).text(`${everything}&rows=all`);
    const again = await verified(exported);

    expect(await again.text(`${everything}&rows=all`)).toBe(exported);
    expect(again.list.total_emails).toBe(3);
  });

  it('400 for an unknown value of formulas', async () => {
    const path = `/validations/lists/${randomUUID()}/export?status=VALID&formulas=run`;

    expect((await api.call('POST', path, { token: await api.tokenFor() })).statusCode).toBe(400);
  });
});

describe('an export that is uploaded again', () => {
  it('gets result and reason once, instead of the earlier ones', async () => {
    const before = await verified('name;email\nJane;jane@exists.test\nN;nobody@exists.test');
    const exported = await before.text(everything);

    const { lines } = await verified(exported.replace('VALID;mailbox_accepted', 'UNKNOWN;timeout'));

    expect(await lines(everything)).toEqual(exported.trimEnd().split('\n'));
  });

  it('keeps result columns that the customer changed, even far below', async () => {
    const rows = Array.from(
      { length: 300 },
      (_, row) => `user${row}@no-such-domain.test,INVALID,no_such_domain`,
    );
    const { lines } = await verified(
      ['email,result,reason', ...rows, 'jane@exists.test,called her,no_answer'].join('\n'),
    );

    expect((await lines('status=VALID')).slice(0, 2)).toEqual([
      'email,result,reason,result,reason,flags,mx_provider,suggestion',
      'jane@exists.test,called her,no_answer,VALID,mailbox_accepted,,exists.test,',
    ]);
  });

  it.each([
    [
      'a result of their own',
      'email,result',
      'jane@exists.test,won',
      'email,result,result,reason,flags,mx_provider,suggestion',
    ],
    [
      'other values',
      'result,reason,email',
      '1:0,home,jane@exists.test',
      'result,reason,email,result,reason,flags,mx_provider,suggestion',
    ],
    [
      'another order',
      'email,reason,result',
      'jane@exists.test,x,VALID',
      'email,reason,result,result,reason,flags,mx_provider,suggestion',
    ],
    [
      'empty columns',
      'email,result,reason',
      'jane@exists.test,,',
      'email,result,reason,result,reason,flags,mx_provider,suggestion',
    ],
  ])('leaves a customer’s own columns: %s', async (_what, header, row, exportedHeader) => {
    const { lines } = await verified(`${header}\n${row}\n`);

    expect(await lines('status=VALID')).toEqual([
      exportedHeader,
      `${row},VALID,mailbox_accepted,,exists.test,`,
    ]);
  });
});

describe('an export with columns of ours', () => {
  const file = 'email,note\njane@exists.test,a\ninfo@exists.test,b\nany+x@catch-all.test,c\n';

  it('loses all five when it is uploaded again, and two when it is older', async () => {
    const exported = await (await verified(file)).text(everything);
    const older = exported.replaceAll(/,[^,\n]*,[^,\n]*,[^,\n]*$/gm, '');
    expect(older).toContain('email,note,result,reason\n');

    expect(await (await verified(exported)).text(everything)).toBe(exported);
    expect(await (await verified(older)).text(everything)).toBe(exported);
  });

  it('does not take suggestions for a second column of addresses', async () => {
    const header = 'mail,result,reason,flags,mx_provider,suggestion';
    const row = 'jane@gmial.test,INVALID,no_such_domain,,,jane@exists.test';

    expect((await preview(`${header}\n${row}\n`)).detected.email_columns).toEqual(['mail']);
  });

  it('has only what is safe to send to: valid, not disposable, not of a role', async () => {
    const { lines, download } = await verified(file);

    expect(await lines('safe=true&rows=all')).toEqual([
      'email,note,result,reason,flags,mx_provider,suggestion',
      'jane@exists.test,a,VALID,mailbox_accepted,,exists.test,',
    ]);
    expect(await lines('status=CATCH_ALL')).toEqual([
      'email,note,result,reason,flags,mx_provider,suggestion',
      'any+x@catch-all.test,c,CATCH_ALL,catch_all,plus_tag,catch-all.test,',
    ]);
    expect(String((await download('safe=true')).headers['content-disposition'])).toContain(
      'customers - safe to send.csv',
    );
  });

  it('409 for what is safe to send to of a list that is older than flags', async () => {
    const { list, order } = await verified(file);
    await api.database.pool.query('update lists set safe_emails = null where id = $1', [list.id]);

    const answer = await order('safe=true');

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([409, 'list_without_flags']);
  });
});

describe('an export as a spreadsheet', () => {
  it('has the same rows as the CSV file', async () => {
    const file = Papa.unparse([
      ['email', 'note'],
      ['jane@exists.test', '=1+1 <&> _x0041_'],
      ['nobody@exists.test'],
    ]);
    const { text, download } = await verified(file);

    const answer = await download(`${everything}&rows=all&format=xlsx`);

    expect(answer.headers['content-type']).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(answer.headers['content-disposition']).toContain('customers - all emails.xlsx');
    const rows = Papa.parse<string[]>((await text(`${everything}&rows=all`)).trimEnd()).data;
    expect(await readSheets(answer.rawPayload)).toEqual([rows]);
  });

  it('400 for more columns than a sheet has', async () => {
    const { list, download } = await verified('email\njane@exists.test\n');
    await api.database.pool.query('update lists set column_count = 16380 where id = $1', [list.id]);

    const answer = await download(`${everything}&format=xlsx`);

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, 'list_too_wide']);
  });
});

describe('the name of an export', () => {
  it('says what is inside', async () => {
    const { download } = await verified('email\njane@exists.test\n');
    const nameOf = async (query: string) =>
      String((await download(query)).headers['content-disposition']).match(/filename="(.*?)"/)?.[1];

    expect(await nameOf('status=VALID')).toBe('customers - valid emails.csv');
    expect(await nameOf(`${everything}&rows=all`)).toBe('customers - all emails.csv');
  });
});

describe('a file with something above its table', () => {
  it.each([
    ['the line that tells Excel the delimiter', 'sep=;\nname;email\nJane;jane@exists.test\n', 1],
    ['a title', 'Customers of spring\n\nname;email\nJane;jane@exists.test\n', 1],
    ['a title of several cells', 'Report;;2026\n;;\nname;email;\nJane;jane@exists.test;\n', 2],
    ['a title and an unknown header', 'Customers;\nWho;Where\nJane;jane@exists.test\n', 1],
    ['both', 'sep=;\nCustomers;\n;\nname;email\nJane;jane@exists.test\n', 3],
  ])('%s: the header is the header, and nothing above it is an address', async (_what, file, skipped) => {
    expect(await preview(file)).toMatchObject({
      metrics: { billable: 1, non_billable: 0 },
      detected: { delimiter: ';', has_header_row: true, skipped_rows: skipped },
    });
    const { text } = await verified(file);
    const rows = Papa.parse<string[]>((await text(`${everything}&rows=all`)).trimEnd()).data;

    expect(rows).toHaveLength(2);
    expect(rows[0]?.slice(-5)).toEqual(['result', 'reason', 'flags', 'mx_provider', 'suggestion']);
    expect(rows[1]?.slice(-5)).toEqual(['VALID', 'mailbox_accepted', '', 'exists.test', '']);
  });
});

describe('cells that are not simply one address', () => {
  const messy = Papa.unparse(
    [
      ['name', 'email'],
      ['Jane', 'Jane Doe <jane@exists.test>'],
      ['two', 'nobody@exists.test; anyone@catch-all.test'],
      ['again', 'mailto:JANE@exists.test'],
      ['zero', 'max@exists.test\u200b'],
      ['none', '\u200b '],
      ['bad', 'not an address'],
    ],
    { newline: '\n' },
  );

  it('are verified, each further address of a cell in a row of its own below', async () => {
    expect(await preview(messy)).toMatchObject({
      total_credits: 4,
      metrics: { billable: 4, duplicated: 1, non_billable: 2, no_email: 1, suppressed: 0 },
    });
    const { list, lines } = await verified(messy);

    expect(list).toMatchObject({
      total_emails: 4,
      excluded_emails: { duplicated: 1, non_billable: 2, no_email: 1, suppressed: 0 },
    });
    expect(await lines(`${everything}&rows=all`)).toEqual([
      'name,email,result,reason,flags,mx_provider,suggestion',
      'Jane,Jane Doe <jane@exists.test>,VALID,mailbox_accepted,,exists.test,',
      'two,nobody@exists.test,INVALID,no_such_mailbox,,exists.test,',
      'two,anyone@catch-all.test,CATCH_ALL,catch_all,,catch-all.test,',
      'again,mailto:JANE@exists.test,VALID,mailbox_accepted,,exists.test,',
      expect.stringMatching(/^zero,max@exists.test\u200b,UNKNOWN,/),
      expect.stringMatching(/^none,"?\u200b "?,no email,no_email,,,$/),
      'bad,not an address,INVALID,syntax,,,',
    ]);
    expect(await lines('status=INVALID')).toHaveLength(2);
  });

  it('count both spellings of a domain as one address and show it as written', async () => {
    const { list, lines } = await verified('email\njane@bücher.test\njane@xn--bcher-kva.test\n');

    expect(list.total_emails).toBe(1);
    expect((await lines(`${everything}&rows=all`)).slice(1).map((line) => line.split(',')[0])).toEqual([
      'jane@bücher.test',
      'jane@xn--bcher-kva.test',
    ]);
  });
});

it('404 when the list is deleted while its export begins', async () => {
  const place = { ownerId: randomUUID(), listId: randomUUID() };

  await expect(emailLists.store.findLayout(api.database.db, place)).rejects.toMatchObject({
    code: 'list_not_found',
  });
});

describe('a page of an export', () => {
  it.each(['distinct', 'all'] as const)(
    'compares no row with the results of others, although PostgreSQL knows nothing about the list (rows=%s)',
    async (rows) => {
      const { pool } = api.database;
      const order = { ownerId: randomUUID(), listId: randomUUID(), rows, verdicts: [...VERDICTS] };
      const layout = {
        header: null,
        delimiter: ',',
        email_column: 0,
        column_count: 1,
        is_even: true,
        with_headers: null,
        has_outcomes: true,
      } as const;
      const copied = copyStatement(
        layout,
        { ...order, format: 'csv', formulas: 'raw', safe: false, expiresAt: 0 },
        { first: 0, end: 10_000 },
      );
      const query = copied.replace(/^copy \(/, '').replace(/\) to stdout$/, '');

      const client = await pool.connect();
      try {
        await client.query(beginPage);
        const plan = await client.query(`explain ${query}`);
        expect(JSON.stringify(plan.rows)).toMatch(/(Merge|Hash)( Left| Right)? Join/);
      } finally {
        client.release(true);
      }
    },
  );
});
