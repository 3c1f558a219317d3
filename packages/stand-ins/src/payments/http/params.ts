import { invalidRequest } from '../errors.ts';
import { type FormFields, type FormValue, isFields } from './form.ts';

/**
 * The parameters of one call. Each is read by the type it must have, and `refuseUnread` then turns down the others: like
 * the real API, which answers a misspelt parameter with an error. A parameter of the real API that the stand-in does not
 * act on is turned down too, rather than taken in silence.
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

  /** An empty text, which removes what it names. */
  isEmpty(name: string): boolean {
    return this.#fields[name] === '' && this.#take(name) === '';
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw this.#invalid(name, 'string');
    return value;
  }

  requiredText(name: string): string {
    return this.#required(name, this.text(name));
  }

  integer(name: string): number | undefined {
    return this.#number(name, /^\d{1,15}$/);
  }

  /** An integer that may be below 0. */
  signedInteger(name: string): number | undefined {
    return this.#number(name, /^-?\d{1,15}$/);
  }

  #number(name: string, form: RegExp): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!form.test(value)) {
      throw invalidRequest(`Invalid integer: ${value}`, {
        param: this.nameOf(name),
        code: 'parameter_invalid_integer',
      });
    }
    return Number(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.choice(name, ['true', 'false']);
    return value === undefined ? undefined : value === 'true';
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

  requiredChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    return this.#required(name, this.choice(name, choices));
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

  requiredUrl(name: string): string {
    return this.#required(name, this.url(name));
  }

  object(name: string): Params | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (!isFields(value)) throw this.#invalid(name, 'object');
    return this.#child(value, this.nameOf(name));
  }

  requiredObject(name: string): Params {
    return this.#required(name, this.object(name));
  }

  objects(name: string): Params[] | undefined {
    return this.#takeList(name)?.map((entry, index) => {
      const path = `${this.nameOf(name)}[${index}]`;
      if (!isFields(entry)) throw invalidRequest('Invalid object', { param: path });
      return this.#child(entry, path);
    });
  }

  /** A list of exactly one object: the stand-in's subscriptions, checkouts and portal flows have one item. */
  oneObject(name: string): Params {
    const [first, second] = this.#required(name, this.objects(name));
    if (first === undefined) throw missing(this.nameOf(name));
    if (second !== undefined) {
      throw invalidRequest('The stand-in takes one item here.', { param: this.nameOf(name) });
    }
    return first;
  }

  texts(name: string): string[] | undefined {
    return this.#takeList(name)?.map((entry) => {
      if (typeof entry !== 'string') throw this.#invalid(name, 'array of strings');
      return entry;
    });
  }

  metadata(): Record<string, string> {
    const value = this.#take('metadata') ?? {};
    if (!isFields(value)) throw this.#invalid('metadata', 'object');
    const entries = Object.entries(value).map(([key, text]) => {
      if (typeof text !== 'string') throw invalidRequest('Invalid string', { param: `metadata[${key}]` });
      return [key, text];
    });
    return Object.fromEntries(entries);
  }

  refuseUnread(): void {
    const unread = Object.keys(this.#fields).find((name) => !this.#read.has(name));
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
    if (value !== undefined && !Array.isArray(value)) throw this.#invalid(name, 'array');
    return value;
  }

  #required<Value>(name: string, value: Value | undefined): Value {
    if (value === undefined) throw missing(this.nameOf(name));
    return value;
  }

  #invalid(name: string, expected: string) {
    return invalidRequest(`Invalid ${expected}`, { param: this.nameOf(name) });
  }
}

const missing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
