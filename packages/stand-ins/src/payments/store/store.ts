import type { Kind, Tables } from './tables.ts';

interface Row {
  readonly kind: Kind;
  readonly id: string;
  readonly sequence: number;
  readonly value: Tables[Kind];
}

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

export interface DueRow<K extends Kind = Kind> {
  kind: K;
  id: string;
  dueAt: number;
}

type DueRule = (kind: Kind, value: Tables[Kind]) => number | undefined;

/**
 * All objects, in memory, in the order they were made. Values are immutable: a change puts a new value, so a transaction
 * is a list of values to put back. With persistence, a transaction's changes are saved before the caller gets its answer.
 */
export class Store {
  readonly #tables = new Map<Kind, Map<string, Row>>();
  readonly #due = new Map<string, DueRow>();
  readonly #unsaved = new Map<string, { kind: Kind; id: string; sequence: number }>();
  readonly #dueRule: DueRule;
  readonly #persistence: Persistence | undefined;
  #undo: { kind: Kind; id: string; previous: Row | undefined }[] | undefined;
  #sequence = 0;
  #saving: Promise<void> = Promise.resolve();

  private constructor(dueRule: DueRule, persistence: Persistence | undefined) {
    this.#dueRule = dueRule;
    this.#persistence = persistence;
  }

  static async open(options: { dueRule: DueRule; persistence?: Persistence | undefined }): Promise<Store> {
    const store = new Store(options.dueRule, options.persistence);
    for (const { kind, id, sequence, value } of (await options.persistence?.load()) ?? []) {
      store.#set({ kind: kind as Kind, id, sequence, value: value as Tables[Kind] });
      store.#sequence = Math.max(store.#sequence, sequence);
    }
    return store;
  }

  find<K extends Kind>(kind: K, id: string): Tables[K] | undefined {
    return this.#table(kind).get(id)?.value as Tables[K] | undefined;
  }

  /** Oldest first. */
  all<K extends Kind>(kind: K): Tables[K][] {
    return [...this.#table(kind).values()].map((row) => row.value as Tables[K]);
  }

  /** The one that was made first of those still there. */
  oldest<K extends Kind>(kind: K): Tables[K] | undefined {
    return this.#table(kind).values().next().value?.value as Tables[K] | undefined;
  }

  put<K extends Kind>(kind: K, value: Tables[K]): void {
    const previous = this.#table(kind).get(value.id);
    this.#sequence += previous === undefined ? 1 : 0;
    const row = { kind, id: value.id, sequence: previous?.sequence ?? this.#sequence, value };
    this.#undo?.push({ kind, id: value.id, previous });
    this.#set(row);
    this.#unsaved.set(keyOf(kind, value.id), row);
  }

  remove(kind: Kind, id: string): void {
    const previous = this.#table(kind).get(id);
    if (previous === undefined) return;
    this.#undo?.push({ kind, id, previous });
    this.#unset(kind, id);
    this.#unsaved.set(keyOf(kind, id), previous);
  }

  /** Either all that `work` changes happens or, when it throws, none of it. */
  transact<T>(work: () => T): T {
    if (this.#undo !== undefined) return work();
    this.#undo = [];
    try {
      return work();
    } catch (error) {
      for (const { kind, id, previous } of this.#undo.reverse()) {
        if (previous === undefined) this.#unset(kind, id);
        else this.#set(previous);
      }
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  /** The row that is due first. Of rows of the same moment, the one that was made first. */
  nextDue(isWanted: (kind: Kind) => boolean): DueRow | undefined {
    let first: DueRow | undefined;
    for (const row of this.#due.values()) {
      if (isWanted(row.kind) && (first === undefined || row.dueAt < first.dueAt)) first = row;
    }
    return first;
  }

  /** Resolves when everything changed until now is saved. What could not be saved is tried again with the next change. */
  saved(): Promise<void> {
    const persistence = this.#persistence;
    if (persistence === undefined) {
      this.#unsaved.clear();
      return Promise.resolve();
    }
    const save = this.#saving.then(() => this.#save(persistence));
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

  async #save(persistence: Persistence): Promise<void> {
    if (this.#unsaved.size === 0) return;
    const changes = [...this.#unsaved.values()];
    this.#unsaved.clear();
    try {
      await persistence.save(
        changes.map(({ kind, id, sequence }) => ({ kind, id, sequence, value: this.find(kind, id) ?? null })),
      );
    } catch (error) {
      for (const change of changes) {
        const key = keyOf(change.kind, change.id);
        if (!this.#unsaved.has(key)) this.#unsaved.set(key, change);
      }
      throw error;
    }
  }

  #table(kind: Kind): Map<string, Row> {
    let table = this.#tables.get(kind);
    if (table === undefined) {
      table = new Map();
      this.#tables.set(kind, table);
    }
    return table;
  }

  #set(row: Row): void {
    const table = this.#table(row.kind);
    const isReturning = !table.has(row.id) && row.sequence < this.#sequence;
    table.set(row.id, row);
    // A row that an undone transaction had removed goes back to its old place in the order.
    if (isReturning) {
      const inOrder = [...table.values()].sort((a, b) => a.sequence - b.sequence);
      table.clear();
      for (const each of inOrder) table.set(each.id, each);
    }

    const dueAt = this.#dueRule(row.kind, row.value);
    if (dueAt === undefined) this.#due.delete(keyOf(row.kind, row.id));
    else this.#due.set(keyOf(row.kind, row.id), { kind: row.kind, id: row.id, dueAt });
  }

  #unset(kind: Kind, id: string): void {
    this.#table(kind).delete(id);
    this.#due.delete(keyOf(kind, id));
  }
}

const keyOf = (kind: Kind, id: string): string => `${kind} ${id}`;
