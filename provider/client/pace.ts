import { showWaiting } from "../engine/log";
import type { Clock } from "./clock";
import { patienceOf } from "./errand";
import type { Quota } from "./quota";
import { longest } from "./quota";
import type { HttpResponse, Request, Send } from "./transport";

/** Changes go before reads. A refused request goes before both, or it might be refused until its time is over. */
function rankOf({ effect, after }: Request): number {
  if (after === "429") return 2;
  return effect === "read" ? 0 : 1;
}

/** The response that the service would give now. */
function earlyResponse(milliseconds: number): HttpResponse {
  return { status: 429, headers: { "retry-after": String(Math.ceil(milliseconds / 1000)) }, body: "" };
}

/** Holds each request until the rate limit has room for it. */
export function pace(next: Send, quota: Quota, clock: Clock): Send {
  return async (request: Request) => {
    const { errand, proof } = request;
    const patience = patienceOf(errand);
    const began = clock.now();
    const pause = quota.pause();
    // The service would refuse it, and count it.
    if (pause > patience) return earlyResponse(pause);
    // A proof may not hold after a wait. It is renewed only for so long, or a quota with hardly any room would never let the request go.
    for (;;) {
      const giveBack = await quota.turn(rankOf(request), errand?.unending);
      if (proof === undefined || proof.isRecent() || clock.now() - began > longest) break;
      giveBack();
      await proof.renew();
    }
    const held = pause > 0 ? clock.now() - began : 0;
    showWaiting(errand?.urn, "the account's rate limit", held);
    request.onHeld?.(held);
    try {
      const response = await next({ ...request, held });
      quota.learn(response);
      const wait = response.status === 429 ? quota.pause() : 0;
      return wait > 0 && wait <= patience ? { ...response, paced: true } : response;
    } catch (error) {
      quota.learn();
      throw error;
    }
  };
}
