import type { LoggedRequest } from "./emulator";
import type { Gate } from "./faults/gate";
import type { LateEffects } from "./faults/late";
import type { Faults } from "./faults/plan";
import type { SchemaOptions } from "./graphql/schema";
import type { RateLimiter } from "./rate-limit";
import type { Scope } from "./rest/route";
import type { Past } from "./state/past";
import type { Service } from "./state/service";

/** An account as its interfaces see it. */
export interface Account {
  service: Service;
  past: Past;
  faults: Faults;
  gate: Gate;
  late: LateEffects;
  log: LoggedRequest[];
  accepts: (key: string) => boolean;
  /** The scopes of every key. Default: all. */
  scopes: Scope[] | undefined;
  /** The quota of REST. */
  limiter: RateLimiter;
  /** Lists come in pages. */
  pagination: boolean;
  /** The queue tells the status with a stream. */
  streamStatus: boolean;
  graphql: SchemaOptions & {
    /** False: every request is answered 410, as if the interface were retired. */
    enabled: boolean;
    /** Undefined: no quota. */
    limiter: RateLimiter | undefined;
  };
}
