/** How connections leave: from an address of this machine, any by default, or through a SOCKS5 proxy. */
export type Egress =
  | { readonly kind: 'local'; readonly address?: string | undefined }
  | {
      readonly kind: 'socks5';
      readonly host: string;
      readonly port: number;
      readonly username?: string | undefined;
      readonly password?: string | undefined;
    };

export const anyLocalAddress: Egress = { kind: 'local' };
