import { expect, it } from 'vitest';
import { splitFullName } from './full-name.ts';

it.each([
  ['Jane Doe', 'Jane', 'Doe'],
  ['  Jane   van der Berg ', 'Jane', 'van der Berg'],
  ['van der Berg, Jane', 'Jane', 'van der Berg'],
  ['Dr. Jane Doe', 'Jane', 'Doe'],
  ['Jane Doe, PhD', 'Jane', 'Doe'],
  ['Jane Doe, CEO', 'Jane', 'Doe'],
  ['Jane Doe, PMP®, SHRM-CP', 'Jane', 'Doe'],
  ['Doe Smith, J. M.', 'J. M.', 'Doe Smith'],
  ['DOE SMITH, JANE', 'JANE', 'DOE SMITH'],
  ['van der Berg, JP', 'JP', 'van der Berg'],
  ['Jane M. Doe', 'Jane M.', 'Doe'],
  ['Jean-Luc Picard', 'Jean-Luc', 'Picard'],
  ['José María de la Cruz', 'José María', 'de la Cruz'],
  ['de la Cruz, José María', 'José María', 'de la Cruz'],
  ['Mary Ann Lee', 'Mary Ann', 'Lee'],
  ['Gabriel García Márquez', 'Gabriel', 'García Márquez'],
  ['Sukarno', 'Sukarno', ''],
  ['', '', ''],
])('"%s" is "%s" and "%s"', (fullName, firstName, lastName) => {
  expect(splitFullName(fullName)).toEqual({ firstName, lastName });
});
