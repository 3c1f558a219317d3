/** A tab that is driven by the few commands needed here. Test tools turn on more, and each of these makes a page slower. */
export interface BareTab {
  send(method: string, params?: object): Promise<unknown>;
  navigate(url: string): Promise<void>;
  /** The value of an expression, once it is there if it is a promise. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Evaluated {
  readonly result: { readonly value: unknown };
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

/** A busy machine at a quarter of its speed needs long. A tab that crashed never answers. */
const answerMsMax = 150_000;

export async function openBareTab(debuggingPort: number): Promise<BareTab> {
  const browser = `http://127.0.0.1:${debuggingPort}/json`;
  const opened = await fetch(`${browser}/new?about:blank`, { method: 'PUT' });
  const { id: tabId, webSocketDebuggerUrl } = (await opened.json()) as {
    readonly id: string;
    readonly webSocketDebuggerUrl: string;
  };
  const socket = new WebSocket(webSocketDebuggerUrl);
  const { promise: isOpen, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('error', () => reject(new Error('The browser refused a connection.')));
  await isOpen;

  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(data);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  socket.addEventListener('close', () => {
    for (const settle of waiting.values()) settle({ error: { message: 'The tab is closed.' } });
  });

  let sentCount = 0;
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    // A closed socket drops what it is given without a word.
    if (socket.readyState !== WebSocket.OPEN) throw new Error(`${method}: The tab is closed.`);
    sentCount += 1;
    const id = sentCount;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    waiting.set(id, resolve);
    const timer = setTimeout(() => resolve({ error: { message: 'The tab does not answer.' } }), answerMsMax);
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return {
    send,
    navigate: async (url) => {
      const { errorText } = (await send('Page.navigate', { url })) as { readonly errorText?: string };
      if (errorText) throw new Error(`${url}: ${errorText}`);
    },
    evaluate: async <Value>(expression: string) => {
      const params = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = (await send('Runtime.evaluate', params)) as Evaluated;
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'The page failed.');
      return result.value as Value;
    },
    close: async () => {
      socket.close();
      await fetch(`${browser}/close/${tabId}`);
    },
  };
}
