import type { RouterState } from 'react-router';

let pathAhead: string | undefined;

/** Takes every state of the router. React draws it later, and much later in a busy browser. */
export function noteWayAhead({ navigation, location }: Pick<RouterState, 'navigation' | 'location'>): void {
  pathAhead = (navigation.location ?? location).pathname;
}

/** Whether the person has asked for another page than the one of this path. Its code may still load. */
export const isLeaving = (path: string): boolean => pathAhead !== undefined && pathAhead !== path;
