import { crc32, deflateRawSync } from 'node:zlib';

interface ZipPart {
  readonly name: string;
  readonly bytes: Buffer | string;
  /** What the directory claims, where it lies. */
  readonly claimedSize?: number;
  readonly isEncrypted?: boolean;
  /** The directory says that the part begins so many bytes earlier than it does. */
  readonly beginsEarlierBy?: number;
}

/** A zip file, as small as programs accept it; also one that lies about its parts. */
export function buildZip(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, claimedSize, isEncrypted, beginsEarlierBy = 0 } of parts) {
    const contents = Buffer.from(bytes);
    const packed = deflateRawSync(contents);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isEncrypted ? 0x801 : 0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedSize ?? contents.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset - beginsEarlierBy, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), common, tail, nameBytes]));
    pieces.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listing, end]);
}
