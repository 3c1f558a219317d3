export interface Match<Handler> {
  handler: Handler;
  /** The parts of the path that vary, in order. Ids and tokens are plain letters, so nothing needs decoding. */
  ids: string[];
}

/** Finds the handler of a method and path in a table such as `{ 'POST /v1/customers/:id': update }`. */
export function createRouter<Handler>(table: Record<string, Handler>) {
  const routes = Object.entries(table).map(([route, handler]) => {
    const [method, path] = route.split(' ');
    return { method, segments: (path ?? '').split('/'), handler };
  });
  return (method: string, path: string): Match<Handler> | undefined => {
    const segments = path.split('/');
    for (const route of routes) {
      if (route.method !== method || route.segments.length !== segments.length) continue;
      const ids: string[] = [];
      const isMatch = route.segments.every((wanted, index) => {
        const given = segments[index] ?? '';
        if (!wanted.startsWith(':')) return wanted === given;
        ids.push(given);
        return /^[\w.~-]+$/.test(given);
      });
      if (isMatch) return { handler: route.handler, ids };
    }
    return undefined;
  };
}
