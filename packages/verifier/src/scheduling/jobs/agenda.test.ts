import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Agenda } from './agenda.ts';

function openAgenda() {
  const clock = new ManualClock();
  const agenda = new Agenda(clock);
  const done: number[] = [];
  const plan = (...delaysMs: number[]) => {
    for (const delayMs of delaysMs) agenda.at(clock.now() + delayMs, () => done.push(delayMs));
  };
  return { clock, agenda, done, plan };
}

describe('the agenda', () => {
  it('runs tasks in the order of their times, whatever order they came in', () => {
    const { clock, done, plan } = openAgenda();
    const delaysMs = Array.from({ length: 200 }, (_, index) => (index * 73) % 199);
    plan(...delaysMs);
    clock.advance(200);
    expect(done).toEqual(delaysMs.toSorted((left, right) => left - right));
  });

  it('runs a task at its time and not before', () => {
    const { clock, done, plan } = openAgenda();
    plan(10, 20);
    clock.advance(9);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual([10]);
    clock.advance(10);
    expect(done).toEqual([10, 20]);
  });

  it('needs one timer for all tasks, and none without tasks', () => {
    const { clock, plan } = openAgenda();
    plan(30, 10, 20, 10);
    expect(clock.timerCount).toBe(1);
    clock.advance(30);
    expect(clock.timerCount).toBe(0);
  });

  it('runs a task that is due at once, soon', () => {
    const { clock, done, plan } = openAgenda();
    plan(-5);
    clock.advance(0);
    expect(done).toEqual([-5]);
  });

  it('takes new tasks from a task', () => {
    const { clock, agenda, done } = openAgenda();
    agenda.at(clock.now() + 10, () => {
      done.push(1);
      agenda.at(clock.now(), () => done.push(2));
      agenda.at(clock.now() + 5, () => done.push(3));
    });
    clock.advance(10);
    expect(done).toEqual([1, 2]);
    clock.advance(5);
    expect(done).toEqual([1, 2, 3]);
  });

  it('runs a task that is months away, since it looks again every day', () => {
    const { clock, done, plan } = openAgenda();
    const monthsMs = 60 * 86_400_000;
    plan(monthsMs);
    clock.advance(monthsMs - 1);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual([monthsMs]);
  });

  it('never sets a timer for more than a day, which Node would fire at once', () => {
    const delays: number[] = [];
    const clock = new ManualClock();
    const after = clock.after.bind(clock);
    clock.after = (delayMs, task) => {
      delays.push(delayMs);
      return after(delayMs, task);
    };
    new Agenda(clock).at(clock.now() + 86_400_001, () => {});
    expect(delays).toEqual([86_400_000]);
  });

  it('forgets all tasks when it is cleared, and takes new ones', () => {
    const { clock, agenda, done, plan } = openAgenda();
    plan(10);
    agenda.clear();
    expect(clock.timerCount).toBe(0);
    plan(20);
    clock.advance(20);
    expect(done).toEqual([20]);
  });
});
