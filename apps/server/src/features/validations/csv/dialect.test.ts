import { describe, expect, it } from 'vitest';
import { detectDialect } from './dialect.ts';

describe('the dialect of an uploaded file', () => {
  it.each([
    ['commas', 'name,email\nJane,jane@exists.test\n', ',', 1, 'email'],
    ['semicolons', 'E-Mail;Name\njane@exists.test;Doe, Jane\n', ';', 0, 'E-Mail'],
    ['tabs', 'id\tcorreo\n1\tjane@exists.test\n', '\t', 1, 'correo'],
    ['bars', 'jane@exists.test|Jane\njoe@exists.test|Joe\n', '|', 0, null],
    ['one column with a name', 'email\njane@exists.test\n', ',', 0, 'email'],
    ['one column without a name', 'jane@exists.test\njoe@exists.test\n', ',', 0, null],
    ['a name nobody foresaw', 'Kontakt,Ort\njane@exists.test,Bern\n', ',', 0, 'Kontakt'],
    ['quoted cells', '"name","email"\n"Doe, Jane","jane@exists.test"\n', ',', 1, 'email'],
    [
      'addresses in two columns, one of them named',
      'owner,email\na@b.test,jane@exists.test\n',
      ',',
      1,
      'email',
    ],
    ['a named column of broken addresses', 'name,email\nJane,not an address\n', ',', 1, 'email'],
    ['blank lines at the top', '\n\nemail\njane@exists.test\n', ',', 0, 'email'],
  ])('%s', (_name, sample, delimiter, emailColumn, emailColumnName) => {
    expect(detectDialect(sample)).toMatchObject({ delimiter, emailColumn, emailColumnName });
  });

  it('takes single quotes as quoting where no double quote appears', () => {
    expect(detectDialect("'email','name'\n'jane@exists.test','Doe, Jane'\n")).toMatchObject({
      quote: "'",
      emailColumn: 0,
    });
    expect(detectDialect("email,name\njane@exists.test,O'Neil\n")).toMatchObject({ quote: '"' });
  });

  it.each([['name,city\nJane,Bern\n'], ['   \n'], ['']])('%j has no email column', (sample) => {
    expect(detectDialect(sample)).toBeNull();
  });
});
