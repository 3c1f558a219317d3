import type { EvidenceStage } from '../evidence.ts';
import type { DialFailure } from './dial-host.ts';

/** A recipient to ask a host about. Every byte of the mailbox has been checked. */
export interface Question {
  readonly mailbox: string;
  readonly needsUtf8: boolean;
}

export interface SessionTarget {
  host: string;
  ips: readonly string[];
  /**
   * STARTTLS: `offered` uses it if the host offers it, `never` does not because it failed with this host before, `always`
   * uses it even if it is not offered, because the host demanded it.
   */
  encryption: 'offered' | 'never' | 'always';
  /** Whether the host's PIPELINING works. While that is unproved, a silent host soon gets one command at a time. */
  pipelining: 'unproved' | 'proved' | 'broken';
  /** How long to wait for replies: `short` for a host that stayed silent lately, or after another that did. */
  patience?: 'usual' | 'short';
}

export type SessionStage = 'connect' | 'greeting' | 'hello' | 'tls' | 'sender' | 'rcpt' | 'quit';

/** Why a session is over. */
export type SessionEnding =
  | { kind: DialFailure | 'protocol' | 'tls' | 'tls_demanded' | 'quit' | 'aborted' }
  | { kind: 'timeout'; stage: SessionStage }
  | { kind: 'reply'; stage: SessionStage; code: number; text: string };

/** A connection to a mail host that answers questions about recipients. */
export interface Session<Q extends Question> {
  readonly target: SessionTarget;
  /** The address that was reached. */
  readonly ip: string;
  readonly startedAt: number;
  /** When the latest transaction was sent, and when the latest bytes arrived. */
  readonly askedAt: number;
  readonly readAt: number;
  /** How the connection was set up, for the evidence of every answer on it. */
  readonly evidence: EvidenceStage;
  /** Whether it takes transactions: the host has answered EHLO. */
  readonly isReady: boolean;
  /** Ready, and without an open question. */
  readonly isIdle: boolean;
  /** Over, or about to be. */
  readonly isLeaving: boolean;
  readonly hasPipelining: boolean;
  readonly hasSmtpUtf8: boolean;
  /** How many questions have no answer yet. */
  readonly outstanding: number;
  /** How many recipients this connection has been asked about, and has answered. */
  readonly askedCount: number;
  readonly answeredCount: number;
  /** Answers since the connection was last idle. */
  readonly answeredSinceIdle: number;
  /** Answers in the current transaction, without the one that is being reported, and how many of them were 250. */
  readonly answeredInTransaction: number;
  readonly acceptedInTransaction: number;

  connect(firstIp?: number): void;
  /**
   * Sends one transaction, or continues the last one, which saves two round trips if the host takes one command at a
   * time. All questions are about one domain. Call only when ready.
   * See docs/decisions/verifier-one-domain-per-transaction.md.
   */
  ask(questions: readonly Q[], options?: { isContinued?: boolean }): void;
  /** The questions without an answer. */
  pending(): Iterable<Q>;
  /** Ends the connection with QUIT, or at once if a reply is missing. */
  quit(): void;
  /** Drops the connection. */
  abort(): void;
}

/** Receives what happens on a session. */
export interface SessionOwner<Q extends Question> {
  /** The host has greeted us. */
  onGreeting(session: Session<Q>): void;
  /** The host has answered EHLO and takes transactions. */
  onReady(session: Session<Q>): void;
  /** A question goes out now, which may be long after it was given to a host that takes one command at a time. False withdraws it. */
  onSending(session: Session<Q>, question: Q): boolean;
  /** A question was withdrawn: the host does not see it. */
  onWithdrawn(session: Session<Q>, question: Q): void;
  onAnswer(session: Session<Q>, question: Q, code: number, text: string): void;
  /** The host refused MAIL, so it was not asked this question. */
  onSenderRefused(session: Session<Q>, question: Q, code: number, text: string): void;
  /** All answers of one read have been reported: time to ask more. */
  onRead(session: Session<Q>): void;
  /** The session is over. The owner decides about the questions without an answer. */
  onEnd(session: Session<Q>, ending: SessionEnding, unanswered: Q[]): void;
}
