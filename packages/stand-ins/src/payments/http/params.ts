import { invalidRequest } from '../errors.ts';
import { type FormFields, type FormValue, isFields } from './form.ts';

/** What a metadata parameter asks for: keys to set or (empty) to drop, or everything dropped. */
export type MetadataChange = { clear: true } | { clear: false; entries: Record<string, string> };

/**
 * The parameters of one call. Each is read by the type it must have, and `refuseUnread` then turns down whatever
 * nobody read: like the real API, which answers a misspelt parameter with an error. A parameter of the real API that
 * the stand-in does not act on is turned down too, rather than taken in silence.
 */
export class Params {
  readonly #fields: FormFields;
  readonly #path: string;
  readonly #read = new Set<string>();
  readonly #children: Params[] = [];

  constructor(fields: FormFields, path = '') {
    this.#fields = fields;
    this.#path = path;
  }

  /** The name as an error shows it, such as `items[0][price]`. */
  nameOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}[${name}]`;
  }

  has(name: string): boolean {
    return name in this.#fields;
  }

  isText(name: string): boolean {
    return typeof this.#fields[name] === 'string';
  }

  names(): string[] {
    return Object.keys(this.#fields);
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw this.#invalid(name, 'string');
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw missing(this.nameOf(name));
    return value;
  }

  /** Undefined when not sent, null when sent empty: the API's way to clear a field. */
  clearableText(name: string): string | null | undefined {
    if (!this.has(name)) return undefined;
    return this.text(name) ?? null;
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^-?\d{1,15}$/.test(value)) {
      throw invalidRequest(`Invalid integer: ${value}`, {
        param: this.nameOf(name),
        code: 'parameter_invalid_integer',
      });
    }
    return Number(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') {
      throw invalidRequest(`Invalid boolean: ${value}`, { param: this.nameOf(name) });
    }
    return value === 'true';
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) {
      const known = choices.join(', ');
      throw invalidRequest(`Invalid ${this.nameOf(name)}: must be one of ${known}`, {
        param: this.nameOf(name),
      });
    }
    return choice;
  }

  /** An http or https address. */
  url(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
      throw invalidRequest('Not a valid URL', { param: this.nameOf(name), code: 'url_invalid' });
    }
    return value;
  }

  object(name: string): Params | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (!isFields(value)) throw this.#invalid(name, 'object');
    return this.#child(value, this.nameOf(name));
  }

  objects(name: string): Params[] | undefined {
    const value = this.#takeList(name);
    return value?.map((entry, index) => {
      const path = `${this.nameOf(name)}[${index}]`;
      if (!isFields(entry)) throw invalidRequest('Invalid object', { param: path });
      return this.#child(entry, path);
    });
  }

  texts(name: string): string[] | undefined {
    const value = this.#takeList(name);
    return value?.map((entry) => {
      if (typeof entry !== 'string') throw this.#invalid(name, 'array of strings');
      return entry;
    });
  }

  metadata(): MetadataChange | undefined {
    const value = this.#take('metadata');
    if (value === undefined) return undefined;
    if (value === '') return { clear: true };
    if (!isFields(value)) throw this.#invalid('metadata', 'object');
    const entries: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      if (typeof text !== 'string' || key.length > 40 || text.length > 500) {
        throw invalidRequest(
          'Metadata keys have up to 40 characters and values, which are text, up to 500.',
          {
            param: `metadata[${key}]`,
          },
        );
      }
      entries[key] = text;
    }
    return { clear: false, entries };
  }

  refuseUnread(): void {
    const unread = this.names().find((name) => !this.#read.has(name));
    if (unread !== undefined) {
      const name = this.nameOf(unread);
      throw invalidRequest(`Received unknown parameter: ${name}`, { param: name, code: 'parameter_unknown' });
    }
    for (const child of this.#children) child.refuseUnread();
  }

  #child(fields: FormFields, path: string): Params {
    const child = new Params(fields, path);
    this.#children.push(child);
    return child;
  }

  #take(name: string): FormValue | undefined {
    this.#read.add(name);
    return this.#fields[name];
  }

  #takeList(name: string): FormValue[] | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (value === '') return [];
    if (!Array.isArray(value)) throw this.#invalid(name, 'array');
    return value;
  }

  #invalid(name: string, expected: string) {
    return invalidRequest(`Invalid ${expected}`, { param: this.nameOf(name) });
  }
}

export const missing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

export function applyMetadata(
  current: Record<string, string> | null,
  change: MetadataChange | undefined,
): Record<string, string> {
  if (change === undefined) return current ?? {};
  if (change.clear) return {};
  const merged = { ...current, ...change.entries };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
}
