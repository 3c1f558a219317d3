import { expect, it } from 'vitest';
import { countGivenNames } from './split-name.ts';

it.each([
  ['Jane', 'Doe'],
  ['Jan', 'van der Berg'],
  ['José María', 'de la Cruz'],
  ['Ana Paula', 'dos Santos'],
  ['Karl Theodor', 'zu Guttenberg'],
  ['Wilhelmina Petronella', 'van den Heuvel'],
  ['Mohammed', 'bin Salman'],
  ['Ahmed', 'al-Rashid'],
  ['Ahmed', 'al Rashid'],
  ['Kate', "O'Neill"],
  ['Ann', 'Smith-Jones'],
  ['Gabriel', 'García Márquez'],
  ['Ana', 'García de la Torre'],
  ['José', 'Ortega y Gasset'],
  ['José Luis', 'Ortega y Gasset'],
  ['María del Carmen', 'López'],
  ['María de los Ángeles', 'Pérez Ruiz'],
  ['Juan de Dios', 'García'],
  ['María', 'de la Cruz'],
  ['María', 'del Carmen'],
  ['José María', 'García'],
  ['Juan Carlos', 'Pérez López'],
  ['Mary Ann', 'Lee'],
  ['Jean Pierre', 'Martin'],
  ['Ana Lucía', 'Gómez Ruiz'],
  ['Juan', 'García Pérez Ruiz'],
  ['Ana Beatriz', 'Costa Lima'],
  ['Rosa', 'Díaz Mena Soto'],
  ['Do', 'Thi Do'],
  ['Linh', 'Le'],
  ['Jane M.', 'Doe'],
  ['Jane M', 'Doe'],
  ['J. R. R.', 'Tolkien'],
  ['Mary Ann B.', 'Lee'],
  ['José M.', 'García López'],
  ['José M.', 'de la Cruz'],
  // O'Neill and D'Souza without their apostrophe.
  ['Rory', 'O Neill'],
  ['Anita', 'D Souza'],
  ['Jane', 'M.'],
  ['Sukarno', ''],
])('%s | %s', (given, family) => {
  const words = `${given} ${family}`.trim().split(' ');

  expect([
    words.slice(0, countGivenNames(words)).join(' '),
    words.slice(countGivenNames(words)).join(' '),
  ]).toEqual([given, family]);
});
