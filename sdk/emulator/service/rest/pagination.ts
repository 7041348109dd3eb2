import { z } from "zod";
import { unprocessable } from "../state/problem";
import { validate } from "../validation";
import type { Route } from "./route";

const pageQuery = z.object({
  cursor: z.string().optional(),
  limit: z.coerce.number().pipe(z.int().min(1).max(1000)).default(1000),
});

interface Item {
  id: string;
}

/** One page of an answer that is a list, with the cursor of the next page. Only newer versions of the service page. */
export function paginate(answer: unknown, query: unknown, paged: NonNullable<Route["paged"]>): unknown {
  const [[key, list] = []] = Object.entries(answer as Record<string, unknown>).filter(isList);
  if (!key || !list) return answer;
  // The public templates of the catalog have a page, and take neither a cursor nor a limit.
  if (paged === "one page")
    return { ...(answer as object), pagination: { nextCursor: null, hasNextPage: false } };
  const { cursor, limit } = validate(pageQuery, query);
  // assumes: order GET *
  const items = paged === "oldest first" ? list.toReversed() : list;
  const start = cursor === undefined ? 0 : items.findIndex(({ id }) => cursorOf(id) === cursor) + 1;
  if (cursor !== undefined && start === 0) throw unprocessable("$.cursor: not a cursor of this list");
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const hasNextPage = start + limit < items.length;
  const nextCursor = last && hasNextPage ? cursorOf(last.id) : null;
  // assumes: field GET *: pagination*
  return { ...(answer as object), [key]: page, pagination: { nextCursor, hasNextPage } };
}

const isList = (entry: [string, unknown]): entry is [string, Item[]] => Array.isArray(entry[1]);

const cursorOf = (id: string) => Buffer.from(id).toString("base64url");
