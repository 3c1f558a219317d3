import type { DataRouter } from 'react-router';
import type { RejectedCall } from '../shared/api/query-client.ts';
import { snackbar } from '../shared/components/snackbar.tsx';
import { reactionTo } from '../shared/errors/rejected-call.ts';
import type { Drafts } from '../shared/forms/drafts.ts';

const messagePaths = new Set(['/not-found', '/forbidden', '/internal-error', '/goodbye']);

/** Does what the error catalogue asks for, once per page: several calls of one page tend to fail together. */
export function handleRejectedCall(
  { error, hasOwnErrorText }: RejectedCall,
  router: DataRouter,
  drafts: Pick<Drafts, 'keepAll'>,
): void {
  const reaction = reactionTo(error);
  if (reaction.kind === 'ignore') return;
  if (reaction.kind === 'snackbar') {
    if (!hasOwnErrorText) snackbar.error(reaction.message, reaction.cause);
    return;
  }

  if (reaction.kind === 'internal-error') console.error(error);
  const { pathname, search, hash } = router.state.navigation.location ?? router.state.location;
  if (messagePaths.has(pathname)) return;
  // The page and its forms are gone in a moment. A call of the form itself may have failed.
  drafts.keepAll();
  const sourceUrl = encodeURIComponent(`${pathname}${search}${hash}`);
  void router.navigate(
    reaction.kind === 'not-found' ? '/not-found' : `/internal-error?source_url=${sourceUrl}`,
  );
}
