import { describe, expect, it } from 'vitest';
import { classifyPeople, readPeopleFile } from './people-file.ts';

const read = async (text: string) => {
  const file = await readPeopleFile(text);
  if (!file) throw new Error('no people were found');
  return file;
};

describe('where a file has its people', () => {
  it.each([
    [
      'named columns',
      'First name,Last name,Company domain\nJane,Doe,acme.com\n',
      { first_name: 0, last_name: 1, domain: 2 },
    ],
    [
      'other words for them',
      'Vorname;Nachname;Website\nJane;Doe;https://acme.com\n',
      { first_name: 0, last_name: 1, domain: 2 },
    ],
    ['one name in full', 'domain\tname\nacme.com\tJane Doe\n', { full_name: 1, domain: 0 }],
    ['profiles', 'LinkedIn URL,Domain\nlinkedin.com/in/jane-doe,acme.com\n', { linkedin_url: 0, domain: 1 }],
    [
      'no names of columns',
      'Jane,Doe,acme.com\nJoe,Roe,acme.com\n',
      { first_name: 0, last_name: 1, domain: 2 },
    ],
    [
      'full names without names of columns',
      'Jane Doe|acme.com\nJoe Roe|acme.com\n',
      { full_name: 0, domain: 1 },
    ],
    [
      'profiles without names of columns',
      'acme.com,linkedin.com/in/jane-doe\n',
      { linkedin_url: 1, domain: 0 },
    ],
    [
      'a domain under a name of its own',
      'First name,Last name,Firma\nJane,Doe,acme.com\n',
      { first_name: 0, last_name: 1, domain: 2 },
    ],
  ])('%s', async (_what, text, columns) => {
    expect((await read(text)).columns).toEqual(columns);
  });

  it.each([
    ['no domain', 'First name,Last name\nJane,Doe\n'],
    ['no name', 'Domain\nacme.com\n'],
    ['prose', 'This is no list of people at all.\n'],
  ])('nowhere: %s', async (_what, text) => {
    expect(await readPeopleFile(text)).toBeNull();
  });

  it('a first row that holds a person is no header', async () => {
    expect((await read('Jane,Doe,acme.com\nJoe,Roe,acme.com\n')).hasHeaderRow).toBe(false);
    expect((await read('first name,last name,domain\nJane,Doe,acme.com\n')).hasHeaderRow).toBe(true);
  });
});

describe('who is guessed', () => {
  it('each person once; leaves out free and disposable domains, missing names and other scripts, with the reason', async () => {
    const file = await read(
      [
        'First name,Last name,Domain,Note',
        'Jane,Doe,acme.com,"first, here"',
        'JANE,doe,www.acme.com,again',
        'Jane,Doe,other.com,elsewhere',
        'Joe,Roe,gmail.com,',
        'Joe,Roe,mailinator.com,',
        ',,acme.com,',
        'Иван,Петров,acme.com,',
        'Ann,Lee,,',
      ].join('\n'),
    );

    const rows = classifyPeople(file, { withHeaders: true });

    expect(rows.map(({ personRowNumber, problem }) => problem ?? personRowNumber)).toEqual([
      ...[
        1,
        1,
        3,
        'domain_not_company',
        'domain_not_company',
        'name_missing',
        'name_not_latin',
        'domain_missing',
      ],
    ]);
    expect(rows[0]).toMatchObject({
      cells: ['Jane', 'Doe', 'acme.com', 'first, here'],
      person: { firstName: 'Jane', lastName: 'Doe', domain: 'acme.com' },
    });
  });

  it.each([
    ["Rory,O'Neill", 'Rory,O’Neill'],
    ['Mary Ann,Lee', 'Mary  Ann,Lee'],
    ['Jane,Doe', 'Dr. Jane,"Doe, PhD"'],
    ['Jean-Luc,Picard', 'Jean–Luc,Picard'],
    ['José,Núñez', 'Jose,Nunez'],
  ])('one person, because the same addresses are likely: %s and %s', async (one, other) => {
    const file = await read(`first name,last name,domain\n${one},acme.com\n${other},acme.com\n`);

    const rows = classifyPeople(file, { withHeaders: true });

    expect(rows.map(({ personRowNumber }) => personRowNumber)).toEqual([1, 1]);
  });

  it('the first row is a person only without headers', async () => {
    const file = await read('Jane,Doe,acme.com\nJoe,Roe,acme.com\n');

    expect(classifyPeople(file, { withHeaders: true })).toHaveLength(1);
    expect(classifyPeople(file, { withHeaders: false })).toHaveLength(2);
  });

  it('uses the name, or the profile when the name is empty', async () => {
    const file = await read(
      'first name,last name,linkedin,domain\nJane,Doe,linkedin.com/in/x-y,acme.com\n,,linkedin.com/in/joe-roe,acme.com\n',
    );

    expect(classifyPeople(file, { withHeaders: true }).map(({ person }) => person?.lastName)).toEqual([
      'Doe',
      'Roe',
    ]);
  });

  it('nobody with a name, profile or domain of more than 500 characters', async () => {
    const long = 'a'.repeat(501);
    const file = await read(
      [
        'name,linkedin,domain',
        'Jane Doe,,acme.com',
        `Jane ${long},,acme.com`,
        `,linkedin.com/in/jane-${long},acme.com`,
        `Jane Doe,,https://acme.com/${long}`,
      ].join('\n'),
    );

    expect(classifyPeople(file, { withHeaders: true }).map(({ problem }) => problem)).toEqual([
      null,
      'name_missing',
      'name_missing',
      'domain_missing',
    ]);
  });
});
