/** How far a list is, rounded up. */
export const percentDone = ({ progress }: { readonly progress: number }): number => Math.ceil(progress);
