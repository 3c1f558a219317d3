import { invalidRequest } from '../errors.ts';

export type FormValue = string | FormValue[] | FormFields;
export interface FormFields {
  [name: string]: FormValue;
}

// Deeper than any call of the API nests, and shallow enough that a hostile body costs nothing.
const depthMax = 8;

/**
 * Reads `items[0][price]=x&expand[]=y` as the API does: brackets nest, and whole numbers or nothing between them
 * make a list. Fields have no prototype, so that no name a caller sends can reach one.
 */
export function parseForm(encoded: string): FormFields {
  const root = emptyFields();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = segmentsOf(name);
    if (path.length > depthMax) throw invalidRequest(`Parameter nested too deeply: ${name}`, { param: name });
    place(root, path, value);
  }
  return listsFrom(root) as FormFields;
}

const emptyFields = (): FormFields => Object.create(null) as FormFields;

function segmentsOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
}

function place(root: FormFields, path: string[], value: string): void {
  let fields = root;
  for (const [index, segment] of path.entries()) {
    // `expand[]` appends: the next free number is its key.
    const key = segment === '' ? String(Object.keys(fields).length) : segment;
    if (index === path.length - 1) {
      fields[key] = value;
      return;
    }
    const existing = fields[key];
    const next = isFields(existing) ? existing : emptyFields();
    fields[key] = next;
    fields = next;
  }
}

function listsFrom(value: FormValue): FormValue {
  if (!isFields(value)) return value;
  const keys = Object.keys(value);
  const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  if (isList)
    return keys.sort((a, b) => Number(a) - Number(b)).map((key) => listsFrom(value[key] as FormValue));

  const fields = emptyFields();
  for (const key of keys) fields[key] = listsFrom(value[key] as FormValue);
  return fields;
}

export const isFields = (value: FormValue | undefined): value is FormFields =>
  typeof value === 'object' && !Array.isArray(value);
