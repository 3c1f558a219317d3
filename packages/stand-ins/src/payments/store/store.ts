import type { Kind, Tables } from './tables.ts';

export interface SavedRow {
  kind: string;
  id: string;
  sequence: number;
  /** Null once the row is gone. */
  value: unknown;
}

export interface Persistence {
  load(): Promise<SavedRow[]>;
  save(rows: SavedRow[]): Promise<void>;
  close(): Promise<void>;
}

type Table = Map<string, { sequence: number; value: Tables[Kind] }>;

/**
 * All objects, in memory, in the order they were made. Values are immutable: a change puts a new value. With persistence,
 * a transaction's changes are saved before the caller gets its answer.
 */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #unsaved = new Map<string, Omit<SavedRow, 'value'>>();
  readonly #persistence: Persistence | undefined;
  /** The tables that the transaction has changed, as they were before. */
  #undo: Map<string, Table> | undefined;
  #sequence = 0;
  #saving: Promise<void> = Promise.resolve();

  private constructor(persistence: Persistence | undefined) {
    this.#persistence = persistence;
  }

  static async open(persistence?: Persistence): Promise<Store> {
    const store = new Store(persistence);
    for (const { kind, id, sequence, value } of (await persistence?.load()) ?? []) {
      store.#table(kind).set(id, { sequence, value: value as Tables[Kind] });
      store.#sequence = sequence;
    }
    return store;
  }

  find<K extends Kind>(kind: K, id: string): Tables[K] | undefined {
    return this.#table(kind).get(id)?.value as Tables[K] | undefined;
  }

  /** Oldest first. */
  all<K extends Kind>(kind: K): Tables[K][] {
    return Array.from(this.#table(kind).values(), (row) => row.value as Tables[K]);
  }

  put<K extends Kind, Value extends Tables[K]>(kind: K, value: Value): Value {
    const table = this.#change(kind);
    const sequence = table.get(value.id)?.sequence ?? ++this.#sequence;
    table.set(value.id, { sequence, value });
    this.#unsaved.set(`${kind} ${value.id}`, { kind, id: value.id, sequence });
    return value;
  }

  remove(kind: Kind, id: string): void {
    this.#change(kind).delete(id);
    this.#unsaved.set(`${kind} ${id}`, { kind, id, sequence: 0 });
  }

  /** Removes the oldest ones as long as they were made before a moment. */
  removeOlder(kind: 'event' | 'replay', moment: number): void {
    for (const { value } of this.#table(kind).values()) {
      if ((value as Tables[typeof kind]).created >= moment) return;
      this.remove(kind, value.id);
    }
  }

  /** Either all that `work` changes happens or, when it throws, none of it. */
  transact<T>(work: () => T): T {
    if (this.#undo !== undefined) return work();
    this.#undo = new Map();
    try {
      return work();
    } catch (error) {
      for (const [kind, table] of this.#undo) this.#tables.set(kind, table);
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  /** Resolves when everything changed until now is saved. What could not be saved is tried again with the next change. */
  saved(): Promise<void> {
    const save = this.#saving.then(() => this.#save());
    this.#saving = save.catch(() => undefined);
    return save;
  }

  async close(): Promise<void> {
    try {
      await this.saved();
    } finally {
      await this.#persistence?.close();
    }
  }

  async #save(): Promise<void> {
    const changes = [...this.#unsaved];
    this.#unsaved.clear();
    if (changes.length === 0 || this.#persistence === undefined) return;
    const rows = changes.map(([, row]) => ({ ...row, value: this.find(row.kind as Kind, row.id) ?? null }));
    try {
      await this.#persistence.save(rows);
    } catch (error) {
      for (const [key, row] of changes) if (!this.#unsaved.has(key)) this.#unsaved.set(key, row);
      throw error;
    }
  }

  #table(kind: string): Table {
    const table = this.#tables.get(kind) ?? new Map();
    this.#tables.set(kind, table);
    return table;
  }

  #change(kind: Kind): Table {
    const table = this.#table(kind);
    if (this.#undo !== undefined && !this.#undo.has(kind)) this.#undo.set(kind, new Map(table));
    return table;
  }
}
