import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../support/random.ts';
import { Customer } from '../customer.ts';
import { goodCall, requestOf, withDetectedColumns } from '../generate.ts';
import { type Operation, operations } from '../operations.ts';
import { ask, callAbout, fill } from '../own-calls.ts';
import type { AttackedProduct } from '../product.ts';
import { type Action, type Moment, phaseCount, type Scene } from './action.ts';
import { followLink } from './follow-link.ts';

/**
 * Operations of one action, each of them alone for a twelfth of the time. A neighbour who waits during a twelfth of its calls has a
 * slow 95th percentile.
 */
const operationsPerAction = 12;
const connections = 8;
/** Calls of one operation. A customer has 6,000 a minute, and a phase has three operations. */
const callsMax = 1_500;
const restMs = 50;

/** Every operation of the contract, with valid calls. */
export const contractActions: readonly Action[] = Array.from(
  { length: Math.ceil(operations.length / operationsPerAction) },
  (_, index) => {
    const part = operations.slice(index * operationsPerAction, (index + 1) * operationsPerAction);
    const features = [...new Set(part.map(({ name }) => name.split('.')[0]))];
    return actionOf(`calls-${index + 1}`, `calls of ${features.join(', ')}`, part);
  },
);

/** One operation alone, to find out which one of an action is slow. */
export function actionOfOperation(name: string): Action | undefined {
  const operation = operations.find((candidate) => candidate.name === name);
  return operation && actionOf(name, `${operation.route.method} ${operation.route.path}`, [operation]);
}

function actionOf(name: string, what: string, part: readonly Operation[]): Action {
  return {
    name,
    what,
    operations: part.map((operation) => operation.name),
    connections,
    prepare: async (scene) => {
      // One account for each phase, so that no phase consists of refusals because of the calls before.
      const callers = await Promise.all(Array.from({ length: phaseCount }, () => Caller.signUp(scene)));
      return {
        turn: ({ phase, progress }: Moment) => {
          const operation = part[Math.floor(progress * part.length)] as Operation;
          return (callers[phase] as Caller).call(operation);
        },
      };
    },
  };
}

/** A customer who has something of every kind. */
class Caller {
  readonly #product: AttackedProduct;
  readonly #random = createRandom(1);
  readonly #calls = new Map<string, number>();
  #customer: Customer;

  private constructor(product: AttackedProduct, customer: Customer) {
    this.#product = product;
    this.#customer = customer;
  }

  static async signUp(scene: Scene): Promise<Caller> {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    await fill(product, customer, 1);
    return new Caller(product, customer);
  }

  async call(operation: Operation): Promise<number | null> {
    const made = this.#calls.get(operation.name) ?? 0;
    if (made >= callsMax) {
      await pause(restMs);
      return null;
    }
    this.#calls.set(operation.name, made + 1);
    // In turn without and with filters.
    const request =
      made % 2 === 0
        ? callAbout(operation, this.#customer.told, 1)
        : requestOf(
            withDetectedColumns(goodCall(operation, this.#random, this.#customer.told)),
            '',
            this.#random,
          );
    const answer = await ask(this.#product, request, this.#customer.headersOf('bearer'));
    this.#customer.learn(operation, answer);
    // The call ended the session or deleted the account.
    if (answer?.status === 401) this.#customer = await Customer.signUp(this.#product);
    return followLink(this.#product, answer);
  }
}
