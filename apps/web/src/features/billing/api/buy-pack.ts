import type { PackCode } from '@assay/contract';
import { useMutation } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { leaveFor } from '../leave-for.ts';

/** Leaves for the page where the pack is paid. */
export function useBuyPack() {
  const { api } = useServices();
  return useMutation({
    mutationFn: async (pack: PackCode) => {
      const { checkout_url } = await api.billing.buyPack({ body: { pack } });
      return leaveFor(checkout_url);
    },
  });
}
