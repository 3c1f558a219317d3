import { describe, expect, it } from 'vitest';
import { CommandQueue } from './command-queue.ts';
import type { Question } from './session-types.ts';

const ask = (mailbox: string): Question => ({ mailbox, needsUtf8: false });
const [jane, john] = [ask('jane@example.com'), ask('john@example.com')];

describe('the commands of a session', () => {
  it('expects replies in the order of the commands', () => {
    const queue = new CommandQueue();
    for (const command of ['MAIL', jane, john] as const) queue.addSent(command);
    expect([queue.dueCount, queue.oldest]).toEqual([3, 'MAIL']);
    queue.removeOldest();
    expect([queue.dueCount, queue.oldest]).toEqual([2, jane]);
    queue.removeOldest();
    queue.removeOldest();
    expect([queue.dueCount, queue.oldest]).toEqual([0, undefined]);
  });

  it('gives a waiting command only when no reply is due', () => {
    const queue = new CommandQueue();
    queue.addWaiting('MAIL FROM:<>\r\n', 'MAIL');
    queue.addWaiting('RCPT …\r\n', jane);
    expect(queue.takeSendable()).toMatchObject({ line: 'MAIL FROM:<>\r\n' });
    expect(queue.takeSendable()).toBeUndefined();
    queue.removeOldest();
    expect(queue.takeSendable()).toMatchObject({ command: jane });
    queue.removeOldest();
    expect(queue.takeSendable()).toBeUndefined();
  });

  it('lists sent and waiting questions until they have a reply', () => {
    const queue = new CommandQueue();
    queue.addSent('MAIL');
    queue.addSent(jane);
    queue.addWaiting('RCPT …\r\n', john);
    expect([...queue.questions()]).toEqual([jane, john]);
    queue.removeOldest();
    queue.removeOldest();
    expect([...queue.questions()]).toEqual([john]);
    queue.clear();
    expect([...queue.questions()]).toEqual([]);
    expect(queue.takeSendable()).toBeUndefined();
  });

  it('gives up the questions of a refused transaction, not those of the next one', () => {
    const queue = new CommandQueue();
    queue.addWaiting('RCPT …\r\n', jane);
    queue.addWaiting('RSET\r\n', 'RSET');
    queue.addWaiting('RCPT …\r\n', john);
    expect(queue.takeWaitingQuestions()).toEqual([jane]);
    expect(queue.takeSendable()).toMatchObject({ command: 'RSET' });
  });
});
