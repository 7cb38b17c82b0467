# The command line and the workbench: docker build -t ensue . ; docker run --rm ensue --help
FROM python:3.12-slim AS build
WORKDIR /checkout
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m pip wheel --quiet --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --quiet --no-cache-dir "$(echo /wheels/ensue-*.whl)[web,mcp]" && rm -r /wheels
# kernels and analyses of texts are kept here, the workbench's data there; nothing runs as root
ENV ENSUE_CACHE=/var/cache/ensue ENSUE_HOME=/var/lib/ensue
RUN useradd --system --uid 1000 --create-home ensue && install -d -o ensue "$ENSUE_CACHE" "$ENSUE_HOME"
USER ensue
RUN ensue doctor --compile
WORKDIR /work
VOLUME /var/lib/ensue
EXPOSE 8700
ENTRYPOINT ["ensue"]
CMD ["--help"]
