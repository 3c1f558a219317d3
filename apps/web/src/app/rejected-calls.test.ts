import {
  BadRequestError,
  InternalServerError,
  NotFoundError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnknownError,
} from '@assay/client';
import { notifications, notificationsStore } from '@mantine/notifications';
import { createMemoryRouter, type DataRouter } from 'react-router';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handleRejectedCall } from './rejected-calls.ts';

const place = '/email-verification/bulk?page=2&page_size=25#rows';
const whoops = '/internal-error?source_url=%2Femail-verification%2Fbulk%3Fpage%3D2%26page_size%3D25%23rows';
const failed = new InternalServerError({ http_status: 500, message: 'It broke' });

let router: DataRouter;
let kept: string[];
const logged = vi.spyOn(console, 'error');
beforeEach(() => {
  kept = [];
  logged.mockReset().mockImplementation(() => {});
  openAt(place);
});
afterEach(() => {
  router.dispose();
  notifications.clean();
});
afterAll(() => logged.mockRestore());

function openAt(path: string): void {
  router = createMemoryRouter([{ path: '*' }], { initialEntries: [path] });
}

const reject = (error: unknown, hasOwnErrorText = false) =>
  handleRejectedCall({ error, hasOwnErrorText }, router, { keepAll: () => kept.push(whereabouts()) });
const whereabouts = () => {
  const { pathname, search, hash } = router.state.location;
  return `${pathname}${search}${hash}`;
};
const told = () => notificationsStore.getState().notifications.map(({ message }) => message);

describe('§8 a rejected call', () => {
  it.each([
    ['a 5xx', failed],
    ['a missing status', new ServiceUnavailableError({ message: 'The server could not be reached' })],
    ['an error that is not of a call', new TypeError('oh')],
  ])('§8 %s is logged and navigates to /internal-error with source_url, encoded', (_case, error) => {
    reject(error);

    expect(whereabouts()).toBe(whoops);
    expect(new URLSearchParams(router.state.location.search).get('source_url')).toBe(place);
    expect(router.state.historyAction).toBe('PUSH');
    expect(logged.mock.calls).toEqual([[error]]);
    expect(told()).toEqual([]);
    expect(kept, 'what is typed is kept before the page goes').toEqual([place]);
  });

  it('§8 words of its own keep a screen neither from the page nor from the log', () => {
    reject(failed, true);

    expect(whereabouts()).toBe(whoops);
    expect(logged).toHaveBeenCalledOnce();
  });

  it('several of one page lead there once, each with its line in the log', async () => {
    reject(failed);
    reject(new ServiceUnavailableError());
    await router.navigate(-1);

    expect(whereabouts()).toBe(place);
    expect(logged).toHaveBeenCalledTimes(2);
  });

  it.each(['/not-found', '/forbidden', '/internal-error', '/goodbye'])('stays on %s', (path) => {
    router.dispose();
    openAt(path);

    reject(failed);

    expect(whereabouts()).toBe(path);
  });

  it('§8 a 404 navigates to /not-found, and is not logged', () => {
    reject(new NotFoundError({ http_status: 404 }));

    expect(whereabouts()).toBe('/not-found');
    expect(logged).not.toHaveBeenCalled();
  });

  it('§8 a 401 is ignored, and what was aborted too', () => {
    reject(new UnauthorizedError({ http_status: 401, message: 'Who?' }));
    reject(new DOMException('left', 'AbortError'));

    expect([whereabouts(), told()]).toEqual([place, []]);
  });

  it('§8 anything else is a snackbar with the message, an UnknownError too', async () => {
    reject(new BadRequestError({ http_status: 400, message: 'The name is taken' }));
    reject(new UnknownError());

    await vi.waitFor(() => expect(told()).toEqual(['The name is taken', 'An unexpected error occurred']));
    expect(kept).toEqual([]);
    expect(whereabouts()).toBe(place);
    expect(logged).not.toHaveBeenCalled();
  });

  it('but none where the screen says it in words of its own', () => {
    reject(new BadRequestError({ http_status: 400, message: 'The name is taken' }), true);

    expect(told()).toEqual([]);
  });
});
