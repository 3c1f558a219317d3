import { nextDue } from './billing/due.ts';
import type { Seconds } from './clock.ts';
import type { Courier } from './webhooks/courier.ts';
import type { World } from './world.ts';

// The longest a timer of the platform can wait; a later one is set again when it fires.
const timerMaxMs = 2_147_483_647;

/**
 * Does what falls due, in the order in which it falls due, and delivers the events of one thing before the next
 * happens. While the clock follows real time, one timer waits for the next thing.
 */
export class Timekeeper {
  readonly #world: World;
  readonly #courier: Courier;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(world: World, courier: Courier) {
    this.#world = world;
    this.#courier = courier;
  }

  /** Moves the clock to `date`, through everything that falls due on the way. */
  advanceTo(date: Date): Promise<void> {
    const { clock } = this.#world;
    return this.#exclusively(async () => {
      if (date < clock.now()) throw new RangeError('The clock cannot go back.');
      const target = Math.floor(date.getTime() / 1000);
      await this.#runUntil(target, (moment) => clock.set(new Date(moment * 1000)));
      clock.set(date);
    });
  }

  /** Called after every change: delivers what it caused, and waits for what falls due next. */
  noticeChange(): void {
    if (this.#isClosed) return;
    const setTimer = () => this.#setTimer();
    this.#courier.deliverDue().then(setTimer, setTimer);
    setTimer();
  }

  /** Catches up with what fell due while the stand-in was not running. */
  async catchUp(): Promise<void> {
    if (this.#world.clock.isLive) await this.#exclusively(() => this.#runUntil(this.#world.clock.seconds()));
    this.noticeChange();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runUntil(target: Seconds, onMoment?: (moment: Seconds) => void): Promise<void> {
    const { clock, store } = this.#world;
    await this.#courier.deliverDue();
    while (!this.#isClosed) {
      const moment = this.#nextMoment();
      if (moment === undefined || moment > target) return;

      if (moment > clock.seconds()) onMoment?.(moment);
      const due = nextDue(this.#world);
      if (due?.at === moment) {
        clock.at(moment, () => store.transact(due.run));
        await store.saved();
      }
      await this.#courier.deliverDue();
    }
  }

  #nextMoment(): Seconds | undefined {
    const moments = [nextDue(this.#world)?.at, this.#courier.nextAttemptAt()];
    return moments.filter((moment) => moment !== undefined).sort((a, b) => a - b)[0];
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || !this.#world.clock.isLive) return;
    const next = this.#nextMoment();
    if (next === undefined) return;
    const waitMs = Math.max(0, next * 1000 - this.#world.clock.now().getTime());
    this.#timer = setTimeout(() => void this.#wakeUp(), Math.min(waitMs, timerMaxMs)).unref();
  }

  async #wakeUp(): Promise<void> {
    // A failure to save is met again, and reported to a caller, by the next call that changes something.
    await this.#exclusively(() => this.#runUntil(this.#world.clock.seconds())).catch(() => undefined);
    this.#setTimer();
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const run = this.#running.then(work);
    this.#running = run.catch(() => undefined);
    return run;
  }
}
