/** A clock that only a test moves. */
export class MovingClock {
  #now = new Date();

  now(): Date {
    return this.#now;
  }

  advanceMinutes(minutes: number): void {
    this.#now = new Date(this.#now.getTime() + minutes * 60_000);
  }
}
