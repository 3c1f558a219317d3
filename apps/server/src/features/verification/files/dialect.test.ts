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
    ['an unknown name', 'Kontakt,Ort\njane@exists.test,Bern\n', ',', 0, 'Kontakt'],
    ['quoted cells', '"name","email"\n"Doe, Jane","jane@exists.test"\n', ',', 1, 'email'],
    [
      'addresses in two columns, one of them named',
      'owner,email\na@b.test,jane@exists.test\n',
      ',',
      1,
      'email',
    ],
    ['a named column of broken addresses', 'name,email\nJane,not an address\n', ',', 1, 'email'],
    [
      'cells of two addresses below one name',
      'email\na@b.test; c@d.test\ne@f.test; g@h.test\n',
      ',',
      0,
      'email',
    ],
    ['names before the addresses', 'Kontakt|x\nDoe, J <a@b.test>|1\nJoe <c@d.test>|2\n', '|', 0, 'Kontakt'],
    ['prices with commas below no names', 'a@b.test;12,50\nc@d.test;8,00\n', ';', 0, null],
    ['rows that end in a delimiter', 'Kontakt,Ort\na@b.test,Bern,\nc@d.test,Basel,\n', ',', 0, 'Kontakt'],
    ['addresses in either of two columns', 'A,B\na@b.test,none\nnone,c@d.test\n', ',', 0, 'A'],
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

  it.each([
    ['nothing', 'email,x\na@b.test,1\n', 0],
    ['the line that names the delimiter', 'sep=,\nemail,x\na@b.test,1\n', 1],
    ['the same line in quotes and capitals', '"SEP=;"\nemail;x\na@b.test;1\n', 1],
    ['a title above a named column', 'Our customers\nemail\na@b.test\n', 1],
    ['titles above a header that names no email', 'Our customers,\n2026,\nWho,Where\na@b.test,Bern\n', 2],
    [
      'no more than the header, where only one of its cells is filled',
      'Who,\na@b.test,Bern\nc@d.test,Basel\n',
      0,
    ],
    ['no address, with any rows below it', 'x@y.test,\nWho,email\na@b.test,Bern\n', 0],
  ])('leaves out %s above the table', (_what, sample, skippedRows) => {
    expect(detectDialect(sample)).toMatchObject({ skippedRows });
  });

  it('names every column that holds addresses', () => {
    const sample = 'email,name,private\na@b.test,A,a@home.test\nc@d.test,C,\n';

    expect(detectDialect(sample)).toMatchObject({ emailColumn: 0, emailColumnNames: ['email', 'private'] });
  });

  it.each([['name,city\nJane,Bern\n'], ['   \n'], ['']])('%j has no email column', (sample) => {
    expect(detectDialect(sample)).toBeNull();
  });

  it('finds no email column beyond the width of any real table', () => {
    const before = ','.repeat(2_000);
    expect(detectDialect(`sep=,\n${before}email\n${before}jane@exists.test\n`)).toBeNull();
    expect(detectDialect(`sep=,\n${before.slice(1)}email\n`)).toMatchObject({ emailColumn: 1_999 });
  });
});
