/** A `fetch` whose answers fail once their body is larger than `maxBytes`. */
export function limitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    let size = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= maxBytes) controller.enqueue(chunk);
        else controller.error(new Error(`The answer has more than ${maxBytes} bytes.`));
      },
    });
    return new Response(response.body.pipeThrough(limit), response);
  };
}
