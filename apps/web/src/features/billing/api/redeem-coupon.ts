import { type ApiError, BadRequestError, NotFoundError, UnauthorizedError } from '@assay/client';
import type { CouponRedemption, RedeemOutcome } from '@assay/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../../shared/services/services-context.tsx';
import { transactionsKey } from './get-transactions.ts';

/** How a redemption ended. Whatever went wrong, the product records that there is no such coupon. */
export type Redemption =
  | { readonly outcome: Extract<RedeemOutcome, 'valid'>; readonly amountOfCredits: number }
  | { readonly outcome: Extract<RedeemOutcome, 'not_found'> };

export function useRedeemCoupon() {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string): Promise<CouponRedemption> =>
      api.billing.redeemCoupon({ params: { coupon_id: code } }).catch((error: ApiError) => {
        throw asBadRequest(error);
      }),
    // The dialog says it with a chip.
    meta: { changesWallet: true, hasOwnErrorText: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: transactionsKey }),
  });
}

/** A coupon that is not there is no missing page, and no reason to sign out: both stay on the dialog. */
export function asBadRequest(error: ApiError): ApiError {
  if (!(error instanceof NotFoundError || error instanceof UnauthorizedError)) return error;
  const { message, trace_id, meta } = error;
  return new BadRequestError({ message, http_status: 400, trace_id, meta, cause: error });
}

export function redemptionOf(mutation: {
  readonly data: CouponRedemption | undefined;
  readonly isError: boolean;
}): Redemption | null {
  if (mutation.isError) return { outcome: 'not_found' };
  if (!mutation.data) return null;
  return { outcome: 'valid', amountOfCredits: mutation.data.coupon.amount_of_credits };
}
